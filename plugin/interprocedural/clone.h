// SPDX-License-Identifier: GPL-3.0-or-later
// Clones functions so that their callers can pass them a partial path ID (Melski and Reps, TR 1382, 1998, section 5.5).
#ifndef PATHPROF_PLUGIN_INTERPROCEDURAL_CLONE_H
#define PATHPROF_PLUGIN_INTERPROCEDURAL_CLONE_H

#include <vector>

#include "plugin/interprocedural/emit_program.h"

namespace pathprof {

// Creates clones that take the cell and the number of completions as parameters, and redirects traversed calls to the
// clones. In the original functions, adds code that starts and counts paths. `bodies` is indexed by procedure.
void connect_procedures(const PlannedProgram &program, const std::vector<ProcedureBody> &bodies,
                        const StandIns &stand_ins, const RuntimeFunctions &runtime);

} // namespace pathprof

#endif
