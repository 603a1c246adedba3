// SPDX-License-Identifier: GPL-3.0-or-later
// Registers the pass that instruments or rebuilds a translation unit.
#ifndef PATHPROF_PLUGIN_ENTRY_PASS_H
#define PATHPROF_PLUGIN_ENTRY_PASS_H

#include "plugin/options/arguments.h"

namespace pathprof {

// Registers the pass that instruments or rebuilds the unit, at the position that the `stage` argument selects. Enables
// the dumps that the user has requested.
void register_pass_for(const char *plugin_name, const Arguments &arguments);

} // namespace pathprof

#endif
