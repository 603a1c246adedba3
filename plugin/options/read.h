// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the plugin's arguments and the files that they name, and checks both.
#ifndef PATHPROF_PLUGIN_OPTIONS_READ_H
#define PATHPROF_PLUGIN_OPTIONS_READ_H

#include "plugin/options/arguments.h"

namespace pathprof {

// Reads the arguments and the files that they name. Reports a compiler error and returns false if an argument is
// unknown, a value is out of range, arguments cannot be combined (combinations.h), or a file cannot be used. The error
// names the argument and the accepted values, or the file and the reason.
bool read_arguments(const plugin_name_args &given, Arguments &arguments);

} // namespace pathprof

#endif
