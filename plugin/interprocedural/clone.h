// SPDX-License-Identifier: GPL-3.0-or-later
// Clones functions so that their callers can pass them a partial path ID (Melski and Reps, TR 1382, 1998, section 5.5).
#ifndef PATHPROF_PLUGIN_INTERPROCEDURAL_CLONE_H
#define PATHPROF_PLUGIN_INTERPROCEDURAL_CLONE_H

#include <vector>

#include "plugin/interprocedural/emit_program.h"

namespace pathprof {

// Clones the procedures that paths enter through calls, and redirects these calls to the clones. The callers pass the
// address of the cell and the number of completions as additional arguments. In the original functions, adds code that
// starts and counts paths. `bodies` is indexed by procedure.
void connect_procedures(const PlannedProgram &program, const std::vector<ProcedureBody> &bodies,
                        const StandIns &stand_ins, const RuntimeFunctions &runtime);

} // namespace pathprof

#endif
