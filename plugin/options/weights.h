// SPDX-License-Identifier: GPL-3.0-or-later
// The argument weights=FILE: edge frequencies as an input profile measured them.
#ifndef PATHPROF_PLUGIN_OPTIONS_WEIGHTS_H
#define PATHPROF_PLUGIN_OPTIONS_WEIGHTS_H

#include <string>

#include "plugin/options/input_profile.h"
#include "profile/model/notes.h"

namespace pathprof {

// Makes the frequencies of the function's edges, so far estimates, what the profile counted.  An
// edge that never ran keeps its estimate, scaled to less than one execution: so do all edges of a
// function that never ran. Nothing changes for a function that the profile does not know;
// `verbose`: a note at the declaration of `cfun` says why.  `path` is the path of the
// function's source file.
void weigh_edges(FunctionNotes &notes, const std::string &path, const InputProfile &input, bool verbose);

} // namespace pathprof

#endif
