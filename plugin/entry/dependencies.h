// SPDX-License-Identifier: GPL-3.0-or-later
// Files that arguments name are among what an object is made of: where GCC writes its dependencies (-MD, -MMD), make,
// ninja and ccache's depend mode get to know of them.
#ifndef PATHPROF_PLUGIN_ENTRY_DEPENDENCIES_H
#define PATHPROF_PLUGIN_ENTRY_DEPENDENCIES_H

#include "plugin/options/arguments.h"

namespace pathprof {

void register_dependencies(const char *plugin_name, const Arguments &arguments);

} // namespace pathprof

#endif
