// SPDX-License-Identifier: GPL-3.0-or-later
// Rebuilding with a profile (use=FILE).
#ifndef PATHPROF_PLUGIN_REBUILD_REBUILD_H
#define PATHPROF_PLUGIN_REBUILD_REBUILD_H

#include "plugin/options/arguments.h"

class opt_pass;

namespace pathprof {

// Gives the functions of the translation unit what the profile `arguments.use` counted, and optimises them along their
// paths as `arguments.rebuild` says.  Where GCC's own tree_profiling runs, on the graphs that were profiled.
//
// A function of which the profile has another graph is left alone with a warning that says what differs; one that the
// profile does not have keeps GCC's estimates.  One that it has but that never ran is optimised for size.
void rebuild_unit(const Arguments &arguments);

} // namespace pathprof

#endif
