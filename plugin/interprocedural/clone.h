// SPDX-License-Identifier: GPL-3.0-or-later
// Clones of functions that take a path's number with them (Melski and Reps, TR 1382, 1998, section 5.5).
#ifndef PATHPROF_PLUGIN_INTERPROCEDURAL_CLONE_H
#define PATHPROF_PLUGIN_INTERPROCEDURAL_CLONE_H

#include <vector>

#include "plugin/interprocedural/emit_program.h"

namespace pathprof {

// Makes the clones that take cell and completions, lets traversed calls call them, and the functions themselves begin
// paths.  Bodies are in order of the procedures.
void connect_procedures(const PlannedProgram &program, const std::vector<ProcedureBody> &bodies,
                        const StandIns &stand_ins, const RuntimeFunctions &runtime);

} // namespace pathprof

#endif
