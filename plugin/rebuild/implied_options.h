// SPDX-License-Identifier: GPL-3.0-or-later
// Sets the options that -fprofile-use implies.
#ifndef PATHPROF_PLUGIN_REBUILD_IMPLIED_OPTIONS_H
#define PATHPROF_PLUGIN_REBUILD_IMPLIED_OPTIONS_H

#include "plugin/gcc/gcc.h"

namespace pathprof {

// Sets the options that -fprofile-use implies for the unit and for each of its functions, unless the user has set them.
// Options for value profiling are set only if the profile contains values. Call this function while no function is
// being compiled, and only after the early passes, which must produce the same code as in the profiled build.
void set_implied_options(bool has_values);

// Returns the options that the function had before set_implied_options, except that its blocks are not split into a hot
// and a cold section. If the options have been changed since, returns them unchanged.
tree options_without_profile(tree decl);

// Returns true if the function's options before set_implied_options vectorise loops even if this makes code larger, as
// at -O3.
bool vectorises_without_profile(tree decl);

} // namespace pathprof

#endif
