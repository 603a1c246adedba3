// SPDX-License-Identifier: GPL-3.0-or-later
// Planning the functions of a unit whose paths go through calls (core/interprocedural/interprocedural.h).
#ifndef PATHPROF_PLUGIN_INTERPROCEDURAL_PROGRAM_H
#define PATHPROF_PLUGIN_INTERPROCEDURAL_PROGRAM_H

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
  std::vector<gcall *> calls; // of Procedure::calls
  ProcedurePlan plan;
  bool has_clone = false; // paths go through some call of it
  // Valid completions from EXIT, where all that call it agree on them.
  std::optional<WideNumber> completions = std::nullopt;
};

struct PlannedProgram {
  Supergraph supergraph;
  std::unique_ptr<SupergraphNumbering> numbering; // of it
  std::vector<PlannedProcedure> procedures;       // likewise
  ProgramNotes notes;
  Place counters;         // the first one
  Place table;            // or the table head
  bool is_mapped = false; // which gets an array; else it has,
  Place cache;            // if numbers have one digit, an inline cache
};

// The program of those functions that have an interprocedural mode and are not left out; none if there are none.
// `functions` are sorted, and stay where they are.  Completes their notes.
std::unique_ptr<PlannedProgram> plan_program(std::vector<PlannedFunction> &functions, const Arguments &arguments);

} // namespace pathprof

#endif
