// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers interprocedural paths (Melski and Reps, TR 1382, 1998, sections 4 to 6).
//
// The increment of an edge depends on the open calls: it is a linear function of the number of valid completions from
// the procedure's EXIT, which callers pass to callees.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_INTERPROCEDURAL_H
#define PATHPROF_CORE_INTERPROCEDURAL_INTERPROCEDURAL_H

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <gmpxx.h>

#include "core/interprocedural/supergraph.h"

namespace pathprof {

// The linear function λx. a·x + b.
struct Linear {
  mpz_class a = 0;
  mpz_class b = 0;

  mpz_class operator()(const mpz_class &x) const { return a * x + b; }
  // Returns the composition of this function with `inner`, which is applied first.
  Linear after(const Linear &inner) const { return {a * inner.a, a * inner.b + b}; }
  Linear &operator+=(const Linear &other) {
    a += other.a;
    b += other.b;
    return *this;
  }
  bool operator==(const Linear &other) const { return a == other.a && b == other.b; }
};

// The part of the path numbering that belongs to one procedure.
struct ProcedureNumbering {
  explicit ProcedureNumbering(const Procedure &procedure) : split(procedure), paths(path_graph_of(procedure, split)) {}
  ProcedureNumbering(const ProcedureNumbering &) = delete; // `paths` refers to `split`

  SplitGraph split;
  PathGraph paths;
  std::vector<Linear> psi; // psi of each node (section 5.2); for ENTRY, the function of paths that start at the
                           // procedure's entry
  std::vector<Linear> rho; // rho of each path-graph edge; for a Start edge with mode=piecewise, relative to GENTRY
  Linear psi_gentry;       // piecewise: psi of GENTRY, at which paths start inside the procedure
  std::vector<Linear> psi_return; // psi of the return site of each call; unused for a stepped-over call

  mpz_class entry_value; // value of the edge ENTRY_global→ENTRY, if paths start at ENTRY (section 5.3)
  // The remaining fields are used only with mode=piecewise (section 6.1).
  mpz_class gentry_value;              // value of the edge ENTRY_global→GENTRY
  mpz_class num_from_exit;             // numUnbalRLPaths of EXIT
  std::vector<mpz_class> return_value; // value of the edge from the callee's EXIT to the return site of each call
};

// The part of an interprocedural path between two transitions, such as calls and returns.
struct PathStep {
  // The transition that starts a step.
  enum class From {
    Begin,   // start of the path
    Call,    // entry through the call `call` of the preceding step
    Return,  // return from the preceding step to the call `call` of this procedure
    Restart, // start of the counted part of the path, in the same procedure; all preceding steps are context, which is
             // counted with other paths
  };
  From from = From::Begin;
  int procedure = 0;
  int call = -1;           // index of the call, or -1; also set if the path starts or restarts after an ended call
  std::vector<int> blocks; // blocks that control enters in this step; starts with ENTRY at the start of the procedure;
                           // excludes EXIT
  std::vector<int> edges;  // edges of the procedure's graph that control takes in this step
};

// An interprocedural path.  Its first `prefix_len` steps are context, which is counted with other paths.  The remaining
// steps are counted with this path.
struct InterproceduralPath {
  std::vector<PathStep> steps;
  size_t prefix_len = 0;              // number of steps in the context prefix
  PathStart start = PathStart::Entry; // reason for the start of the part after the prefix
  PathEnd end = PathEnd::Exit;
};

class SupergraphNumbering {
public:
  // Numbers the paths of `supergraph`, and keeps a reference to it.  The supergraph must not contain recursive
  // traversed calls.  `max_bits` limits the size of the numbers, because malicious notes could require arbitrarily
  // large numbers. If the limit is exceeded, fits() returns false and there are no paths.
  explicit SupergraphNumbering(const Supergraph &supergraph, size_t max_bits = SIZE_MAX);

  const Supergraph &supergraph() const { return *supergraph_; }
  bool fits() const { return fits_; }
  // Returns false if the path graph of a procedure contains a cycle, which can happen only with malicious input.
  bool is_acyclic() const;
  const mpz_class &num_paths() const { return num_paths_; }
  const ProcedureNumbering &of(int procedure) const { return *procedures_[procedure]; }
  bool is_piecewise() const;

  // Returns the path with this ID (Algorithm 5.2 and its counterpart for piecewise profiles).  Returns nothing if `id`
  // is not below num_paths() or if the path has more than `max_nodes` nodes.  Without this limit, a few nested calls
  // could make a path extremely long.
  std::optional<InterproceduralPath> regenerate(const mpz_class &id, size_t max_nodes = SIZE_MAX) const;

private:
  friend class SupergraphWalk;
  void number_edges(int procedure);
  void number_entries();
  void number_returns(const std::vector<int> &callers_first);

  const Supergraph *supergraph_;
  size_t max_bits_;
  bool fits_ = true;
  std::vector<std::unique_ptr<ProcedureNumbering>> procedures_;
  // Procedures with an edge from ENTRY_global to ENTRY, ordered by entry_value.
  std::vector<int> entries_;
  std::vector<int> gentries_; // procedures ordered by gentry_value
  // With mode=piecewise, the callers of each procedure as (procedure, call) pairs, ordered by the values of their
  // return edges.
  std::vector<std::vector<std::pair<int, int>>> callers_;
  mpz_class num_paths_;
};

} // namespace pathprof

#endif
