// SPDX-License-Identifier: GPL-3.0-or-later
// Plans the instrumentation of a procedure for interprocedural paths (Melski and Reps, TR 1382, 1998, sections 5.5 and
// 6.3).
//
// The partial path ID is base + r.  The caller passes the base; after a call, the callee returns it.  The register r
// sums the increments of this procedure's edges in two parts: a constant and a multiple of the number of valid
// completions from EXIT (t2 and t1 of section 5.5.1).  The multiplication is thus delayed until the ID is needed, for
// example at a traversed call.  Between such positions, edges have chord increments.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_PROCEDURE_PLAN_H
#define PATHPROF_CORE_INTERPROCEDURAL_PROCEDURE_PLAN_H

#include <map>
#include <vector>

#include "core/interprocedural/interprocedural.h"
#include "core/numbering/wide.h"

namespace pathprof {

// The value `constant + factor * n`, where n is the number of valid completions of the path from EXIT.
struct Amount {
  WideNumber constant = 0;
  WideNumber factor = 0;
};

// An operation of a procedure's plan.  The partial path ID is `base + r`.
struct ProcedureOp {
  enum Kind {
    Set,     // r = amount
    Add,     // r += amount
    CountAt, // count[base + r + amount] += 1
    Pass,    // number = base + r + amount, for the callee
    Return,  // number = base + r + amount, for the caller
    Resume,  // base = number, as the callee returned it
    Restart, // base = initial value for paths that start inside the procedure
  };
  Kind kind;
  Amount amount; // zero if the operation has no amount
};

using ProcedureOps = std::vector<ProcedureOp>;

// Operations by position in the split graph (core/interprocedural/supergraph.h).  The operations before a traversed
// call are at the end of its block, and the operations after the call are on the call edge.
struct ProcedurePlan {
  FlowGraph graph; // the split graph, in which traversed calls are truncation points
  // Operations by position, as in Plan.
  std::vector<ProcedureOps> on_edge, at_start, before_end;
};

// Returns the plan of a procedure.  All path IDs must be below 2^127.
ProcedurePlan plan_procedure(const Procedure &procedure, const ProcedureNumbering &numbering);

// Execution counts by path ID.
using NumberCounts = std::map<WideNumber, uint64_t>;

// Interprets the plans of a supergraph's procedures.  The caller passes the events of a trace one by one, and the tests
// check which path IDs are counted.
class SupergraphInterpreter {
public:
  SupergraphInterpreter(const SupergraphNumbering &numbering, const std::vector<ProcedurePlan> &plans,
                        NumberCounts &counts)
      : numbering_(numbering), plans_(plans), counts_(counts) {}

  // Simulates a call of kind Traversed or Ended.  If the kind is Traversed, control enters the callee.  If the kind is
  // Ended, the path ends at the call.
  void call(int call);
  // Simulates the entry into a procedure that is not reached through a traversed call.
  void enter(int procedure);
  // Continues after a call of kind Ended, and starts a new path.
  void go_on_behind(int call);
  // Follows an edge in the procedure.  `in_call` is true if control takes this edge because an exception leaves a call
  // of kind Traversed or Ended.
  void traverse(int edge, bool in_call = false);
  // Simulates the return from the procedure at EXIT.  If the procedure was entered through a traversed call, the path
  // continues in the caller.
  void leave();
  // Leaves the procedure without reaching its EXIT block.
  void unwind() { activations_.pop_back(); }
  // Ends the activation in a block that has no successors.
  void end(int block);

private:
  struct Activation {
    int procedure;
    int call_in_caller; // traversed call that entered the procedure, or -1
    WideNumber on_entry, from_exit, base;
    Amount r;
    WideNumber number;
    bool restarted; // piecewise: true if the path started inside the procedure, so it contains no open call
  };

  Activation &here() { return activations_.back(); }
  const ProcedurePlan &plan() { return plans_[here().procedure]; }
  WideNumber sum(const Amount &more);
  void begin(int procedure, int call, WideNumber on_entry, WideNumber from_exit);
  void perform(const ProcedureOps &ops);
  void perform(const ProcedureOp &op);
  void resume();
  void restart();

  const SupergraphNumbering &numbering_;
  const std::vector<ProcedurePlan> &plans_;
  NumberCounts &counts_;
  std::vector<Activation> activations_;
  int returned_call_ = -1;
  bool callee_restarted_ = false;
};

} // namespace pathprof

#endif
