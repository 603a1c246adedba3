// SPDX-License-Identifier: GPL-3.0-or-later
// Clones functions so that their callers can pass them a partial path ID (Melski and Reps, TR 1382, 1998, section 5.5).
#ifndef PATHPROF_PLUGIN_INTERPROCEDURAL_CLONE_H
#define PATHPROF_PLUGIN_INTERPROCEDURAL_CLONE_H

#include <vector>

#include "plugin/interprocedural/emit_procedure.h"

namespace pathprof {

// Clones the procedures that paths enter through calls, and redirects these calls to the clones. The callers pass two
// additional arguments: the address of the cell that passes the partial path ID, and the number of possible completions
// of the path after the return. In the original functions, adds code that starts and counts paths. `bodies` is indexed
// by procedure.
void connect_procedures(const PlannedUnit &unit, const std::vector<ProcedureBody> &bodies, const StandIns &stand_ins,
                        const RuntimeFunctions &runtime);

} // namespace pathprof

#endif
