// SPDX-License-Identifier: GPL-3.0-or-later
// Rebuilds a translation unit with a profile (use=FILE).
#ifndef PATHPROF_PLUGIN_REBUILD_REBUILD_H
#define PATHPROF_PLUGIN_REBUILD_REBUILD_H

#include "plugin/options/arguments.h"

class opt_pass;

namespace pathprof {

// Attaches the counts of the profile `arguments.use` to the functions of the translation unit, and applies the steps in
// `arguments.rebuild`. Runs at the position of GCC's tree_profiling pass, on the graphs that were profiled.
//
// A function whose graph differs from its graph in the profile is left unchanged, and a warning states the difference.
// A function that is not in the profile keeps GCC's estimates. A function that is in the profile but was never executed
// is optimised for size.
void rebuild_unit(const Arguments &arguments);

} // namespace pathprof

#endif
