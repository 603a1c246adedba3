// SPDX-License-Identifier: GPL-3.0-or-later
// Adds the files that arguments name to the dependencies that GCC writes (-MD, -MMD), for make, ninja and the depend
// mode of ccache.
#ifndef PATHPROF_PLUGIN_ENTRY_DEPENDENCIES_H
#define PATHPROF_PLUGIN_ENTRY_DEPENDENCIES_H

#include "plugin/options/arguments.h"

namespace pathprof {

void register_dependencies(const char *plugin_name, const Arguments &arguments);

} // namespace pathprof

#endif
