// SPDX-License-Identifier: GPL-3.0-or-later
// Translates a plan into GIMPLE.
#ifndef PATHPROF_PLUGIN_EMIT_EMIT_H
#define PATHPROF_PLUGIN_EMIT_EMIT_H

#include "plugin/cfg/function.h"
#include "plugin/emit/unit.h"

namespace pathprof {

// Inserts the operations of the plan into `cfun`, the body of `function`. With termination=exact, also inserts the code
// that maintains the activation's frame. The CFG must not have changed since the function was planned. SSA form is
// updated and dominance information is freed.
void emit_plan(const PlannedFunction &function, UnitVariables &variables, const RuntimeFunctions &runtime);

} // namespace pathprof

#endif
