// SPDX-License-Identifier: GPL-3.0-or-later
// How many paths a program has, for one choice of the calls that paths go through after the other.
//
// It is psi that tells (Melski and Reps, TR 1382, 1998, section 5.2), and psi of a procedure follows from its own
// graph of acyclic paths: a traversed call in a block is the callee's function, a stepped-over call none, and at an
// ended call a path ends and others start.  So no split graph is built, and after a change only what depends on it is
// counted.
//
// SupergraphNumbering (core/interprocedural/interprocedural.cc) has the same equations (19) to (24) and (33) to (35),
// and cannot share them: it sums over the edges of a split graph's path graph, in an order that decoding depends on,
// and every partial sum is a rho or a return value that it keeps, up to a size where it gives up.  Here a node is a
// block with all its calls, whose kinds change from one count to the next, and only the totals are kept: a split graph
// for each choice, or a rho for each edge, would be made only to be thrown away.  testsuite/unit/check_call_cuts.cc
// compares the two.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_CALL_COUNT_H
#define PATHPROF_CORE_INTERPROCEDURAL_CALL_COUNT_H

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/interprocedural/supergraph.h"

namespace pathprof {

// A linear function with the interface of Linear (core/interprocedural/interprocedural.h), but in double precision: its
// coefficients are exact below 2^53, and what would be above kMany is kMany.
struct ApproximateLinear {
  static constexpr double kMany = 0x1p400; // a product of two of them is still finite

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

// A procedure's acyclic paths, as far as they do not depend on the kinds of its calls.
struct Outline {
  struct Node {
    int block = 0;
    bool starts = false;           // paths start here that begin inside the procedure
    bool ends = false;             // a path ends here
    bool ends_behind_call = false; // likewise, where exceptions leave the last call and not the block
    bool call_unwinds = false;     // they would leave the last call: it ends the block
    // Ranges of `edges`, where [first_unwinding, end_edge) are exceptions, and of `calls`.
    size_t first_edge = 0, first_unwinding = 0, end_edge = 0;
    size_t first_call = 0, end_call = 0;
  };

  explicit Outline(const Procedure &procedure);

  int num_blocks = 0;
  std::vector<Node> nodes; // those on paths but for EXIT; each after its successors
  std::vector<int> edges;  // by node, the blocks that its edges lead to; without cut edges
  std::vector<int> calls;  // by node, in the order of execution

  size_t size() const { return nodes.size() + edges.size() + calls.size(); }
};

// A program's outlines.  Calls are known by a number throughout the program, their *site*.
struct ProgramOutline {
  struct Site {
    int procedure = 0;
    int call = 0;
    int callee = kUnknownProcedure;
    CallKind kind = CallKind::SteppedOver; // as the program has it
  };

  // The program must have no recursive traversed call.
  explicit ProgramOutline(const Supergraph &program);

  int num_procedures() const { return static_cast<int>(procedures.size()); }
  int end_site(int procedure) const { return first_site[procedure + 1]; }

  bool is_piecewise = false;
  std::vector<int> callees_first;
  std::vector<int> position; // of a procedure in callees_first
  std::vector<Outline> procedures;
  std::vector<char> begins_paths; // whatever is cut
  std::vector<Site> sites;
  std::vector<int> first_site;              // by procedure, and of none behind the last
  std::vector<std::vector<int>> sites_into; // by procedure: the traversed calls of it
};

// Counts the paths of a program whose traversed calls may have been cut: have become of another kind, and then the
// callee begins paths.  Function is Linear or ApproximateLinear.
template <typename Function>
class CallCounter {
public:
  using Number = decltype(Function::a);

  // Of a procedure.
  struct Psi {
    Function entry;
    Function gentry;               // piecewise
    std::vector<Function> returns; // by call: of what follows it
  };

  // Nothing is counted at first, and no call is cut.
  explicit CallCounter(const ProgramOutline &program)
      : program_(program), psi_(program.num_procedures()), cuts_into_(program.num_procedures(), 0) {
    for (const ProgramOutline::Site &site : program.sites)
      kinds_.push_back(site.kind);
    for (int p = 0; p < program.num_procedures(); p++)
      psi_[p].returns.resize(program.end_site(p) - program.first_site[p]);
  }

  CallKind kind(int site) const { return kinds_[site]; }
  // Of a site that the program has as traversed.
  void set_kind(int site, CallKind kind) {
    cuts_into_[program_.sites[site].callee] += (kind != CallKind::Traversed) - (kinds_[site] != CallKind::Traversed);
    kinds_[site] = kind;
  }
  bool begins_paths(int procedure) const { return program_.begins_paths[procedure] || cuts_into_[procedure] > 0; }
  // Whether the callee begins paths whatever the kind of this call of it.
  bool begins_paths_without(int site) const {
    int callee = program_.sites[site].callee;
    return program_.begins_paths[callee] || cuts_into_[callee] > (kinds_[site] != CallKind::Traversed);
  }

  const Psi &psi(int procedure) const { return psi_[procedure]; }
  void set_psi(int procedure, Psi psi) { psi_[procedure] = std::move(psi); }
  const Function &psi_return(int site) const {
    int procedure = program_.sites[site].procedure;
    return psi_[procedure].returns[site - program_.first_site[procedure]];
  }

  // Equations (19) to (22) and (24).  Needs the callees' psi.
  void count(int procedure) {
    const Outline &outline = program_.procedures[procedure];
    now_ = &psi_[procedure];
    first_site_ = program_.first_site[procedure];
    from_starts_ = {0, 0};
    started_.assign(outline.num_blocks, 0);
    started_[kExitBlock] = 1; // no path starts there
    of_block_.resize(std::max(of_block_.size(), started_.size()));
    of_block_[kExitBlock] = {1, 0};
    for (const Outline::Node &node : outline.nodes) {
      of_block_[node.block] = through_calls(outline, node, from_last_call(outline, node));
      if (node.starts)
        start_at(node.block);
    }
    now_->entry = of_block_[kEntryBlock];
    if (program_.is_piecewise)
      now_->gentry = from_starts_;
    else
      now_->entry += from_starts_;
  }

  void count_all() {
    for (int procedure : program_.callees_first)
      count(procedure);
  }

  // How many paths the program has: sections 5.3 and 6.1.  Needs psi of all procedures.
  Number total() {
    Number sum = 0;
    for (int procedure : program_.callees_first)
      if (begins_paths(procedure))
        sum += psi_[procedure].entry(1);
    if (!program_.is_piecewise)
      return sum;
    count_returns();
    for (int procedure : program_.callees_first)
      sum += psi_[procedure].gentry(from_exit_[procedure]);
    return sum;
  }

  // numUnbalRLPaths of EXIT, as of the last total() of a piecewise profile.
  const Number &from_exit(int procedure) const { return from_exit_[procedure]; }

private:
  // Equations (33) to (35): callers first.
  void count_returns() {
    from_exit_.assign(psi_.size(), 0);
    for (auto p = program_.callees_first.rbegin(); p != program_.callees_first.rend(); ++p) {
      if (begins_paths(*p))
        from_exit_[*p] += 1;
      for (int site = program_.first_site[*p]; site < program_.end_site(*p); site++)
        if (kinds_[site] == CallKind::Traversed)
          from_exit_[program_.sites[site].callee] += psi_return(site)(from_exit_[*p]);
    }
  }

  // Of paths from behind the node's last call on.
  Function from_last_call(const Outline &outline, const Outline::Node &node) {
    bool unwinds = node.call_unwinds && kind_of(outline.calls[node.end_call - 1]) != CallKind::SteppedOver;
    bool ends = unwinds ? node.ends_behind_call : node.ends;
    Function sum{0, Number(ends)};
    for (size_t i = node.first_edge; i < (unwinds ? node.first_unwinding : node.end_edge); i++)
      sum += of_block_[outline.edges[i]];
    for (size_t i = node.first_unwinding; unwinds && i < node.end_edge; i++)
      start_at(outline.edges[i]); // section 9.2.2
    return sum;
  }

  // Of paths from the node's begin on, `behind` from its last call on.
  Function through_calls(const Outline &outline, const Outline::Node &node, Function behind) {
    for (size_t i = node.end_call; i > node.first_call; i--) {
      int call = outline.calls[i - 1];
      now_->returns[call] = behind;
      if (kind_of(call) == CallKind::Traversed) {
        behind = psi_[program_.sites[first_site_ + call].callee].entry.after(behind);
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

  const ProgramOutline &program_;
  std::vector<Psi> psi_;
  std::vector<CallKind> kinds_; // by site
  std::vector<int> cuts_into_;  // by procedure
  std::vector<Number> from_exit_;

  // While a procedure is counted.
  Psi *now_ = nullptr;
  int first_site_ = 0;
  std::vector<Function> of_block_;
  std::vector<char> started_; // by block: paths that begin inside start there, and are in from_starts_
  Function from_starts_;
};

} // namespace pathprof

#endif
