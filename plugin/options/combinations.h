// SPDX-License-Identifier: GPL-3.0-or-later
// Checks combinations of the plugin's arguments.
#ifndef PATHPROF_PLUGIN_OPTIONS_COMBINATIONS_H
#define PATHPROF_PLUGIN_OPTIONS_COMBINATIONS_H

#include "plugin/options/arguments.h"

namespace pathprof {

// Returns true if the arguments on the command line and in the scheme file can be combined. Otherwise, reports the
// first conflict and the values that would be accepted.
bool check_combinations(const Arguments &arguments);

// Checks the effective arguments of one function. They can conflict even if every line of the scheme file is valid,
// because several lines can apply to the same function.
bool check_combination(const FunctionArguments &arguments, Stage stage, unsigned location);

} // namespace pathprof

#endif
