// SPDX-License-Identifier: GPL-3.0-or-later
// Instruments the functions of a unit with interprocedural paths (Melski and Reps, TR 1382, 1998, sections 5.5 and
// 6.3).
//
// Each function is instrumented once. The partial path ID, the completions from EXIT and the use of the final path ID
// depend on the caller. Until the function is cloned, calls to placeholder functions represent these values.
#ifndef PATHPROF_PLUGIN_INTERPROCEDURAL_EMIT_PROCEDURE_H
#define PATHPROF_PLUGIN_INTERPROCEDURAL_EMIT_PROCEDURE_H

#include <map>
#include <vector>

#include "plugin/interprocedural/planned_unit.h"
#include "plugin/emit/unit.h"

struct gcall;
union tree_node;

namespace pathprof {

// Returns the type of the unit's path IDs. The type has 128 bits if path IDs can exceed 62 bits
// (ProgramNotes::is_wide), and 64 bits otherwise.
tree_node *number_type(const PlannedUnit &unit);

// Returns `value` as a constant of the given type.
tree_node *number(tree_node *type, WideNumber value);

// Placeholder functions. Calls to these functions exist only between instrumentation and cloning.
struct StandIns {
  tree_node *cell;        // ID * (void): returns the address of the cell
  tree_node *completions; // ID (void): returns the completions from EXIT
  tree_node *leave;       // void (void): marks the end of the activation; the cell then holds the final path ID

  explicit StandIns(tree_node *number_type);
};

// Indices into the cell, an array through which caller and callee exchange the partial path ID. With mode=piecewise,
// the cell also holds a mark that is set if the path started inside the callee.
inline constexpr uint64_t kNumberInCell = 0;
inline constexpr uint64_t kMarkInCell = 1;
inline constexpr uint64_t kCellSize = 2;

// Emits code that counts paths in the functions of a unit.
class UnitPathCounter {
public:
  UnitPathCounter(const PlannedUnit &unit, const RuntimeFunctions &runtime, Update update)
      : unit_(unit), runtime_(runtime), update_(update) {}

  // count[number]++
  void count(gimple **seq, tree_node *number);
  // Adds inline code for the common case of each runtime call. Call this function after all statements have been
  // inserted.
  void branch();

private:
  tree_node *own(gimple **seq, tree_node *address);
  gcall *call(gimple **seq, tree_node *number);

  const PlannedUnit &unit_;
  const RuntimeFunctions &runtime_;
  Update update_;
  std::vector<gcall *> calls_;
};

// The instrumented body of a procedure.
struct ProcedureBody {
  tree_node *cell = nullptr;             // variable that holds the address of the cell
  std::map<gcall *, tree_node *> passed; // completions to pass, by traversed call
};

// Instruments `cfun`, the body of the procedure, but does not change the calls that paths go through. SSA form is not
// updated yet, because connect_procedures() later adds variables of the body as arguments of these calls.
ProcedureBody emit_procedure(const PlannedUnit &unit, int procedure, const StandIns &stand_ins,
                             const RuntimeFunctions &runtime);

} // namespace pathprof

#endif
