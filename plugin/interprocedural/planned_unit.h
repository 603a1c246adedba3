// SPDX-License-Identifier: GPL-3.0-or-later
// Plans the functions of a unit for interprocedural paths (core/interprocedural/interprocedural.h).
#ifndef PATHPROF_PLUGIN_INTERPROCEDURAL_PLANNED_UNIT_H
#define PATHPROF_PLUGIN_INTERPROCEDURAL_PLANNED_UNIT_H

#include <memory>
#include <optional>
#include <vector>

#include "core/interprocedural/interprocedural.h"
#include "core/interprocedural/procedure_plan.h"
#include "plugin/options/arguments.h"
#include "plugin/cfg/function.h"
#include "plugin/emit/unit.h"

struct gcall;

namespace pathprof {

struct PlannedProcedure {
  PlannedFunction *function = nullptr;
  std::vector<gcall *> calls; // GIMPLE calls, in the order of Procedure::calls
  ProcedurePlan plan;
  bool has_clone = false; // true if paths go through a call to the procedure
  // Number of ways in which a path can continue after the procedure's EXIT, if this number is the same for all callers.
  std::optional<WideNumber> completions = std::nullopt;
};

// An interprocedural unit: a translation unit or, with -flto, the program.
struct PlannedUnit {
  Supergraph supergraph;
  std::unique_ptr<SupergraphNumbering> numbering; // numbering of the supergraph
  std::vector<PlannedProcedure> procedures;       // in the order of the supergraph's procedures
  ProgramNotes notes;
  Place counters;         // first counter of the array, if any
  Place table;            // head of the table, if there is no array
  bool is_mapped = false; // true if the table uses an array at run time
  Place cache;            // inline cache of an unmapped table with one-digit IDs
};

// Plans the unit, which consists of all functions with an interprocedural mode that are not left out. Completes the
// notes of these functions. Returns null if there are no such functions. `functions` must be sorted and must not be
// moved while the PlannedUnit exists.
std::unique_ptr<PlannedUnit> plan_unit(std::vector<PlannedFunction> &functions, const Arguments &arguments);

} // namespace pathprof

#endif
