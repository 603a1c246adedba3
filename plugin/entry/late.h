// SPDX-License-Identifier: GPL-3.0-or-later
// Instruments each function after the last GIMPLE optimisation (stage=late).
#ifndef PATHPROF_PLUGIN_ENTRY_LATE_H
#define PATHPROF_PLUGIN_ENTRY_LATE_H

#include "plugin/options/arguments.h"

class opt_pass;

namespace pathprof {

// Creates the pass that instruments functions at stage=late. Also registers a callback that defines the unit's
// variables after the last function has been compiled.
opt_pass *make_late_pass(const char *plugin_name, const Arguments &arguments);

} // namespace pathprof

#endif
