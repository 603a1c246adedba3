// SPDX-License-Identifier: GPL-3.0-or-later
// Reads edge frequencies from a profile (weights=FILE).
#ifndef PATHPROF_PLUGIN_OPTIONS_WEIGHTS_H
#define PATHPROF_PLUGIN_OPTIONS_WEIGHTS_H

#include <string>

#include "plugin/options/input_profile.h"
#include "profile/model/notes.h"

namespace pathprof {

// Replaces the estimated frequencies of the function's edges with the counts in the profile. Edges that were never
// executed keep their estimates, scaled to less than one execution, even if the whole function was never executed. A
// function that is not in the profile is not changed. If `verbose` is true and the counts of `cfun` are not used, a
// note at the declaration of `cfun` states the reason. `path` is the path of the function's source file.
void weigh_edges(FunctionNotes &notes, const std::string &path, const InputProfile &input, bool verbose);

} // namespace pathprof

#endif
