// SPDX-License-Identifier: GPL-3.0-or-later
// Stage late: the pass that instruments each function after the last GIMPLE optimisation.
#ifndef PATHPROF_PLUGIN_ENTRY_LATE_H
#define PATHPROF_PLUGIN_ENTRY_LATE_H

#include "plugin/options/arguments.h"

class opt_pass;

namespace pathprof {

// Makes the pass, and has the unit's variables defined when the last function is done.
opt_pass *make_late_pass(const char *plugin_name, const Arguments &arguments);

} // namespace pathprof

#endif
