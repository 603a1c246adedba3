// SPDX-License-Identifier: GPL-3.0-or-later
// What instrumentation does in a procedure whose paths go through calls (Melski and Reps, TR 1382, 1998, sections 5.5
// and 6.3), as data.
//
// The number of the path so far is base + r.  The base is what the caller passed, and behind a call what the callee
// left; r sums up what edges of this procedure add, in two parts: a constant, and a multiple of the number of valid
// completions from EXIT (t2 and t1 of section 5.5.1), so that nothing is multiplied before the number is needed.  Calls
// that paths go through are such places; between two of them, the increments are those of chords.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_PROCEDURE_PLAN_H
#define PATHPROF_CORE_INTERPROCEDURAL_PROCEDURE_PLAN_H

#include <map>
#include <vector>

#include "core/interprocedural/interprocedural.h"
#include "core/numbering/wide.h"

namespace pathprof {

// constant + factor * (valid completions from EXIT)
struct Amount {
  WideNumber constant = 0;
  WideNumber factor = 0;
};

// The number so far is base + r.
struct ProcedureOp {
  enum Kind {
    Set,     // r = amount
    Add,     // r += amount
    CountAt, // count[base + r + amount] += 1
    Pass,    // number = base + r + amount: for the callee
    Return,  // number = base + r + amount: for the caller
    Resume,  // base = number, which the callee left
    Restart, // base = what paths begin with that start inside
  };
  Kind kind;
  Amount amount; // nothing where the operation has none
};

using ProcedureOps = std::vector<ProcedureOp>;

// Indices are those of the split graph (core/interprocedural/supergraph.h).  On the edge of a traversed call stands
// what follows the call, before the end of its block what precedes it.
struct ProcedurePlan {
  FlowGraph graph; // the split graph with all of these calls cut
  // As in Plan.
  std::vector<ProcedureOps> on_edge, at_start, before_end;
};

// The numbers must be below 2^127.
ProcedurePlan plan_procedure(const Procedure &procedure, const ProcedureNumbering &numbering);

// Executions by number.
using NumberCounts = std::map<WideNumber, uint64_t>;

// Runs the plans of a program's procedures on a trace.  Numbers are counted as they are; what is wrong is a bug that
// tests look for.
class ProgramInterpreter {
public:
  ProgramInterpreter(const SupergraphNumbering &numbering, const std::vector<ProcedurePlan> &plans,
                     NumberCounts &counts)
      : numbering_(numbering), plans_(plans), counts_(counts) {}

  // Control comes to a traversed call, and enters the callee; or to an ended one.
  void call(int call);
  // It enters a procedure otherwise.
  void enter(int procedure);
  // It goes on behind an ended call.
  void go_on_behind(int call);
  // It goes over an edge of the procedure; `in_call`: by an exception that leaves a traversed or ended call.
  void traverse(int edge, bool in_call = false);
  // It has come to EXIT, and goes back to where it came from; behind the call, if that is traversed.
  void leave();
  // It leaves without coming to EXIT.
  void unwind() { activations_.pop_back(); }
  // It comes to the end of a block without successors.
  void end(int block);

private:
  struct Activation {
    int procedure;
    int call_in_caller; // that control came through; -1: none
    WideNumber on_entry, from_exit, base;
    Amount r;
    WideNumber number;
    bool restarted; // piecewise: the path began inside, no call of it is open here
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
