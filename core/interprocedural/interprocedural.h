// SPDX-License-Identifier: GPL-3.0-or-later
// Numbering paths across procedures (Melski and Reps, TR 1382, 1998, sections 4 to 6).
//
// An edge adds to a path's number what depends on the calls that are open: a linear function of the number of valid
// completions from the procedure's EXIT, which callers pass to callees.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_INTERPROCEDURAL_H
#define PATHPROF_CORE_INTERPROCEDURAL_INTERPROCEDURAL_H

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <gmpxx.h>

#include "core/interprocedural/supergraph.h"

namespace pathprof {

// λx. a·x + b
struct Linear {
  mpz_class a = 0;
  mpz_class b = 0;

  mpz_class operator()(const mpz_class &x) const { return a * x + b; }
  // This function of the value of another.
  Linear after(const Linear &inner) const { return {a * inner.a, a * inner.b + b}; }
  Linear &operator+=(const Linear &other) {
    a += other.a;
    b += other.b;
    return *this;
  }
  bool operator==(const Linear &other) const { return a == other.a && b == other.b; }
};

// What numbers paths in one procedure.
struct ProcedureNumbering {
  explicit ProcedureNumbering(const Procedure &procedure) : split(procedure), paths(path_graph_of(procedure, split)) {}
  ProcedureNumbering(const ProcedureNumbering &) = delete; // `paths` refers to `split`

  SplitGraph split;
  PathGraph paths;
  std::vector<Linear> psi;        // by node, section 5.2; of ENTRY: of paths from the procedure's entry on
  std::vector<Linear> rho;        // by path-graph edge; of a Start in a piecewise profile: from GENTRY
  Linear psi_gentry;              // piecewise: of GENTRY, where paths start that begin inside
  std::vector<Linear> psi_return; // by call: of its return site; nothing of a stepped-over call

  mpz_class entry_value; // of ENTRY_global→ENTRY, if paths begin there (section 5.3)
  // Piecewise, section 6.1.
  mpz_class gentry_value;              // of ENTRY_global→GENTRY
  mpz_class num_from_exit;             // numUnbalRLPaths of EXIT
  std::vector<mpz_class> return_value; // by call: of the edge from the callee's EXIT to its return site, likewise
};

// One stretch of a path in one procedure.
struct PathStep {
  // How control came here.
  enum class From {
    Begin,   // the path begins
    Call,    // from the step before, through its call `call`
    Return,  // from the step before, to behind the call `call` of this procedure
    Restart, // not from the step before, of the same procedure: all before is context, other paths were counted for it
  };
  From from = From::Begin;
  int procedure = 0;
  int call = -1;           // likewise where the path begins or restarts behind an ended call of this procedure
  std::vector<int> blocks; // that control enters here: begins with ENTRY where the procedure does; EXIT is left out
  std::vector<int> edges;  // of the procedure's graph, traversed here
};

// A path across procedures.  Its context prefix are the steps before the last restart.
struct InterproceduralPath {
  std::vector<PathStep> steps;
  size_t prefix_len = 0;              // in steps
  PathStart start = PathStart::Entry; // of what is no context: how it starts, in the procedure of its first step
  PathEnd end = PathEnd::Exit;
};

class SupergraphNumbering {
public:
  // The program must have no recursive traversed call.  Keeps a reference to it.  `max_bits`: what comes from a file
  // may ask for numbers that no memory holds; above this size (fits() tells) there are no paths.
  explicit SupergraphNumbering(const Supergraph &program, size_t max_bits = SIZE_MAX);

  const Supergraph &program() const { return *program_; }
  bool fits() const { return fits_; }
  // False for a program whose cuts leave a cycle: perhaps in hostile data.
  bool is_acyclic() const;
  const mpz_class &num_paths() const { return num_paths_; }
  const ProcedureNumbering &of(int procedure) const { return *procedures_[procedure]; }
  bool is_piecewise() const;

  // The path with this number: Algorithm 5.2, and its counterpart for piecewise profiles.  Nothing if the number is
  // not below num_paths(), or the path passes more than `max_nodes`: calls nest, and few can make a path very long.
  std::optional<InterproceduralPath> regenerate(const mpz_class &id, size_t max_nodes = SIZE_MAX) const;

private:
  friend class ProgramWalk;
  void number_edges(int procedure);
  void number_entries();
  void number_returns(const std::vector<int> &callers_first);

  const Supergraph *program_;
  size_t max_bits_;
  bool fits_ = true;
  std::vector<std::unique_ptr<ProcedureNumbering>> procedures_;
  // ENTRY_global's edges: the procedures by increasing entry_value, and by gentry_value.
  std::vector<int> entries_;
  std::vector<int> gentries_;
  // Piecewise: callers of each procedure, by increasing return value: procedure and call.
  std::vector<std::vector<std::pair<int, int>>> callers_;
  mpz_class num_paths_;
};

} // namespace pathprof

#endif
