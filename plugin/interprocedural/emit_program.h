// SPDX-License-Identifier: GPL-3.0-or-later
// Instrumenting the functions of a program whose paths go through calls (Melski and Reps, TR 1382, 1998, sections 5.5
// and 6.3).
//
// A function is instrumented once.  Where that depends on who calls it (the number so far, the completions from its
// EXIT, what becomes of the number in the end) calls of functions that never exist stand for it until it is cloned.
#ifndef PATHPROF_PLUGIN_INTERPROCEDURAL_EMIT_PROGRAM_H
#define PATHPROF_PLUGIN_INTERPROCEDURAL_EMIT_PROGRAM_H

#include <map>
#include <vector>

#include "plugin/interprocedural/program.h"
#include "plugin/emit/unit.h"

struct gcall;
union tree_node;

namespace pathprof {

// What numbers of the program's paths are computed in: of as many bits as two registers where they have two digits.
tree_node *number_type(const PlannedProgram &program);

// A constant of that type.
tree_node *number(tree_node *type, WideNumber value);

// Functions that exist between instrumenting and cloning only.
struct StandIns {
  tree_node *cell;        // number * (void): where number and mark are passed
  tree_node *completions; // number (void)
  tree_node *leave;       // void (void): the number that the activation ends with is in the cell

  explicit StandIns(tree_node *number_type);
};

// What the cell holds: the number of the path so far; and of piecewise profiles whether the path began inside the
// callee.
inline constexpr uint64_t kNumberInCell = 0;
inline constexpr uint64_t kMarkInCell = 1;
inline constexpr uint64_t kCellSize = 2;

// How a path's number is counted, in any of the program's functions.
class ProgramCounter {
public:
  ProgramCounter(const PlannedProgram &program, const RuntimeFunctions &runtime, Update update)
      : program_(program), runtime_(runtime), update_(update) {}

  // count[number]++
  void count(gimple **seq, tree_node *number);
  // When all statements are in place.
  void branch();

private:
  tree_node *own(gimple **seq, tree_node *address);
  gcall *call(gimple **seq, tree_node *number);

  const PlannedProgram &program_;
  const RuntimeFunctions &runtime_;
  Update update_;
  std::vector<gcall *> calls_;
};

// The instrumented body of a procedure.
struct ProcedureBody {
  tree_node *cell = nullptr;             // variable: where the cell is
  std::map<gcall *, tree_node *> passed; // by traversed call: what the callee is to take for its completions
};

// Instruments `cfun`, the body of the procedure, except for the calls that paths go through, which stay as they are.
// They will use the body's variables, for which SSA form is not updated till then.
ProcedureBody emit_procedure(const PlannedProgram &program, int procedure, const StandIns &stand_ins,
                             const RuntimeFunctions &runtime);

} // namespace pathprof

#endif
