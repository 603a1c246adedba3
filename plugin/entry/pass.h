// SPDX-License-Identifier: GPL-3.0-or-later
// The pass that instruments a translation unit.
#ifndef PATHPROF_PLUGIN_ENTRY_PASS_H
#define PATHPROF_PLUGIN_ENTRY_PASS_H

#include "plugin/options/arguments.h"

namespace pathprof {

// Registers the pass at the place that the stage argument names, and the dumps that were asked for.
void register_pass_for(const char *plugin_name, const Arguments &arguments);

} // namespace pathprof

#endif
