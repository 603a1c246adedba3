// SPDX-License-Identifier: GPL-3.0-or-later
// Translating a plan into GIMPLE.
#ifndef PATHPROF_PLUGIN_EMIT_EMIT_H
#define PATHPROF_PLUGIN_EMIT_EMIT_H

#include "plugin/cfg/function.h"
#include "plugin/emit/unit.h"

namespace pathprof {

// Inserts the plan's operations into `cfun`, the body of `function`, and under exact termination what keeps
// its frame.  The CFG must be the one that was planned.  Afterwards SSA form is up to date, and no
// dominance information is left.
void emit_plan(const PlannedFunction &function, UnitVariables &variables, const RuntimeFunctions &runtime);

} // namespace pathprof

#endif
