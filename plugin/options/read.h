// SPDX-License-Identifier: GPL-3.0-or-later
// The plugin's arguments, checked, with the files that they name.
#ifndef PATHPROF_PLUGIN_OPTIONS_READ_H
#define PATHPROF_PLUGIN_OPTIONS_READ_H

#include "plugin/options/arguments.h"

namespace pathprof {

// Reads the arguments and the files that they name.  Anything unknown or out of range, and arguments that do not go
// together (combinations.h), are a compiler error that names the argument and what is accepted; a file that cannot be
// used is one that names the file and the reason.  False then.
bool read_arguments(const plugin_name_args &given, Arguments &arguments);

} // namespace pathprof

#endif
