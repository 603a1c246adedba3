// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the paths of a supergraph for successive choices of traversed calls.
//
// The count is computed from psi (Melski and Reps, TR 1382, 1998, section 5.2).  The psi of a procedure follows from
// its own graph of acyclic paths: a traversed call contributes the callee's function, a stepped-over call contributes
// nothing, and a path-ending call ends a path and starts another.  The counter therefore builds no split graph, and
// after a change it recounts only the affected procedures.
//
// SupergraphNumbering (core/interprocedural/interprocedural.cc) implements the same equations, (19) to (24) and (33) to
// (35).  The two classes cannot share code.  SupergraphNumbering sums over the path-graph edges of a split graph in the
// order that decoding needs, and it stores every partial sum as a rho or a return value.  CallCounter treats a block
// with all its calls as one node, because the kinds of the calls change between counts, and it stores only totals.
// testsuite/unit/check_call_cuts.cc compares the results of the two classes.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_CALL_COUNT_H
#define PATHPROF_CORE_INTERPROCEDURAL_CALL_COUNT_H

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/interprocedural/supergraph.h"

namespace pathprof {

// A linear function in double precision with the same interface as Linear (core/interprocedural/interprocedural.h).
// Its coefficients are exact below 2^53 and saturate at kMany.
struct ApproximateLinear {
  static constexpr double kMany = 0x1p400; // the product of two such numbers is finite

  double a = 0;
  double b = 0;

  double operator()(double x) const { return std::min(a * x + b, kMany); }
  ApproximateLinear after(const ApproximateLinear &inner) const {
    return {std::min(a * inner.a, kMany), std::min(a * inner.b + b, kMany)};
  }
  ApproximateLinear &operator+=(const ApproximateLinear &other) {
    a = std::min(a + other.a, kMany);
    b = std::min(b + other.b, kMany);
    return *this;
  }
  bool operator==(const ApproximateLinear &other) const { return a == other.a && b == other.b; }
};

// The graph of a procedure's acyclic paths, which does not depend on the kinds of its calls.
struct Outline {
  struct Node {
    int block = 0;
    bool starts = false;           // true if paths start at the block, inside the procedure
    bool ends = false;             // true if a path ends at the block
    bool ends_behind_call = false; // true if a path ends when exceptions leave the last call
    bool call_unwinds = false;     // true if exceptions leave the last call, which ends the block
    // Ranges of the node's entries in `edges` and `calls`.  The entries in [first_unwinding, end_edge) are exception
    // edges.
    size_t first_edge = 0, first_unwinding = 0, end_edge = 0;
    size_t first_call = 0, end_call = 0;
  };

  explicit Outline(const Procedure &procedure);

  int num_blocks = 0;
  std::vector<Node> nodes; // nodes on paths, except EXIT; each node follows its successors
  std::vector<int> edges;  // destinations of the edges of all nodes, without cut edges
  std::vector<int> calls;  // calls of all nodes; those of a node are in the order of execution

  size_t size() const { return nodes.size() + edges.size() + calls.size(); }
};

// The outlines of a supergraph's procedures.  A call is identified by its *site*, a number that is unique in the
// supergraph.
struct SupergraphOutline {
  struct Site {
    int procedure = 0;
    int call = 0;
    int callee = kUnknownProcedure;
    CallKind kind = CallKind::SteppedOver; // original kind of the call
  };

  // Creates the outlines.  The supergraph must not contain recursive traversed calls.
  explicit SupergraphOutline(const Supergraph &supergraph);

  int num_procedures() const { return static_cast<int>(procedures.size()); }
  int end_site(int procedure) const { return first_site[procedure + 1]; }

  bool is_piecewise = false;
  std::vector<int> callees_first;
  std::vector<int> position; // index of each procedure in `callees_first`
  std::vector<Outline> procedures;
  std::vector<char> begins_paths; // nonzero for each procedure in which paths start even if no call is truncated
  std::vector<Site> sites;
  std::vector<int> first_site;              // first site of each procedure, followed by the number of sites
  std::vector<std::vector<int>> sites_into; // traversed calls to each procedure
};

// Counts the paths of a supergraph after some of its traversed calls were truncated, that is, changed to another kind.
// Paths then start at the entry of the callee.  `Function` is Linear or ApproximateLinear.
template <typename Function>
class CallCounter {
public:
  using Number = decltype(Function::a);

  // The psi functions of one procedure.
  struct Psi {
    Function entry;
    Function gentry;               // used with mode=piecewise only
    std::vector<Function> returns; // function of the return site of each call
  };

  // Creates a counter in which all calls have their original kinds.  Paths are counted only by count() and count_all().
  explicit CallCounter(const SupergraphOutline &supergraph)
      : supergraph_(supergraph), psi_(supergraph.num_procedures()), cuts_into_(supergraph.num_procedures(), 0) {
    for (const SupergraphOutline::Site &site : supergraph.sites)
      kinds_.push_back(site.kind);
    for (int p = 0; p < supergraph.num_procedures(); p++)
      psi_[p].returns.resize(supergraph.end_site(p) - supergraph.first_site[p]);
  }

  CallKind kind(int site) const { return kinds_[site]; }
  // Changes the kind of a call that was traversed originally.
  void set_kind(int site, CallKind kind) {
    cuts_into_[supergraph_.sites[site].callee] += (kind != CallKind::Traversed) - (kinds_[site] != CallKind::Traversed);
    kinds_[site] = kind;
  }
  bool begins_paths(int procedure) const { return supergraph_.begins_paths[procedure] || cuts_into_[procedure] > 0; }
  // Returns true if paths would start at the callee's entry even if the call `site` were traversed.
  bool begins_paths_without(int site) const {
    int callee = supergraph_.sites[site].callee;
    return supergraph_.begins_paths[callee] || cuts_into_[callee] > (kinds_[site] != CallKind::Traversed);
  }

  const Psi &psi(int procedure) const { return psi_[procedure]; }
  void set_psi(int procedure, Psi psi) { psi_[procedure] = std::move(psi); }
  const Function &psi_return(int site) const {
    int procedure = supergraph_.sites[site].procedure;
    return psi_[procedure].returns[site - supergraph_.first_site[procedure]];
  }

  // Computes psi of a procedure by the paper's equations (19) to (22) and (24).  The psi of each callee must be known.
  void count(int procedure) {
    const Outline &outline = supergraph_.procedures[procedure];
    now_ = &psi_[procedure];
    first_site_ = supergraph_.first_site[procedure];
    from_starts_ = {0, 0};
    started_.assign(outline.num_blocks, 0);
    started_[kExitBlock] = 1; // no path starts at EXIT
    of_block_.resize(std::max(of_block_.size(), started_.size()));
    of_block_[kExitBlock] = {1, 0};
    for (const Outline::Node &node : outline.nodes) {
      of_block_[node.block] = through_calls(outline, node, from_last_call(outline, node));
      if (node.starts)
        start_at(node.block);
    }
    now_->entry = of_block_[kEntryBlock];
    if (supergraph_.is_piecewise)
      now_->gentry = from_starts_;
    else
      now_->entry += from_starts_;
  }

  void count_all() {
    for (int procedure : supergraph_.callees_first)
      count(procedure);
  }

  // Returns the number of paths in the supergraph (sections 5.3 and 6.1).  The psi of every procedure must be known.
  Number total() {
    Number sum = 0;
    for (int procedure : supergraph_.callees_first)
      if (begins_paths(procedure))
        sum += psi_[procedure].entry(1);
    if (!supergraph_.is_piecewise)
      return sum;
    count_returns();
    for (int procedure : supergraph_.callees_first)
      sum += psi_[procedure].gentry(from_exit_[procedure]);
    return sum;
  }

  // Returns the paper's numUnbalRLPaths of the procedure's EXIT, as computed by the last call to total() with
  // mode=piecewise.
  const Number &from_exit(int procedure) const { return from_exit_[procedure]; }

private:
  // Computes `from_exit_` by the paper's equations (33) to (35), processing callers before callees.
  void count_returns() {
    from_exit_.assign(psi_.size(), 0);
    for (auto p = supergraph_.callees_first.rbegin(); p != supergraph_.callees_first.rend(); ++p) {
      if (begins_paths(*p))
        from_exit_[*p] += 1;
      for (int site = supergraph_.first_site[*p]; site < supergraph_.end_site(*p); site++)
        if (kinds_[site] == CallKind::Traversed)
          from_exit_[supergraph_.sites[site].callee] += psi_return(site)(from_exit_[*p]);
    }
  }

  // Returns the linear function that gives the number of paths from the position after the node's last call.
  Function from_last_call(const Outline &outline, const Outline::Node &node) {
    bool unwinds = node.call_unwinds && kind_of(outline.calls[node.end_call - 1]) != CallKind::SteppedOver;
    bool ends = unwinds ? node.ends_behind_call : node.ends;
    Function sum{0, Number(ends)};
    for (size_t i = node.first_edge; i < (unwinds ? node.first_unwinding : node.end_edge); i++)
      sum += of_block_[outline.edges[i]];
    for (size_t i = node.first_unwinding; unwinds && i < node.end_edge; i++)
      start_at(outline.edges[i]); // paths start at handlers (section 9.2.2)
    return sum;
  }

  // Returns the linear function that gives the number of paths from the beginning of the node.  `behind` is the
  // corresponding function for the position after the node's last call.
  Function through_calls(const Outline &outline, const Outline::Node &node, Function behind) {
    for (size_t i = node.end_call; i > node.first_call; i--) {
      int call = outline.calls[i - 1];
      now_->returns[call] = behind;
      if (kind_of(call) == CallKind::Traversed) {
        behind = psi_[supergraph_.sites[first_site_ + call].callee].entry.after(behind);
      } else if (kind_of(call) == CallKind::Ended) {
        from_starts_ += behind;
        behind = {0, 1};
      }
    }
    return behind;
  }

  void start_at(int block) {
    if (!started_[block])
      from_starts_ += of_block_[block];
    started_[block] = 1;
  }

  CallKind kind_of(int call) const { return kinds_[first_site_ + call]; }

  const SupergraphOutline &supergraph_;
  std::vector<Psi> psi_;
  std::vector<CallKind> kinds_; // kind of each call site
  std::vector<int> cuts_into_;  // number of truncated calls to each procedure
  std::vector<Number> from_exit_;

  // State while a procedure is counted.
  Psi *now_ = nullptr;
  int first_site_ = 0;
  std::vector<Function> of_block_;
  std::vector<char> started_; // nonzero for each block whose path starts are included in `from_starts_`
  Function from_starts_;
};

} // namespace pathprof

#endif
