// SPDX-License-Identifier: GPL-3.0-or-later
// Checks combinations of the plugin's arguments.
#ifndef PATHPROF_PLUGIN_OPTIONS_COMBINATIONS_H
#define PATHPROF_PLUGIN_OPTIONS_COMBINATIONS_H

#include "plugin/options/arguments.h"

namespace pathprof {

// Returns true if all given arguments can be combined in the modes that functions have or may have through the scheme
// file. Otherwise reports the first conflict and the values that would be accepted.
bool check_combinations(const Arguments &arguments);

// Checks the final arguments of one function. Several lines of a scheme file may apply to one function and combine
// arguments that exclude each other.
bool check_combination(const FunctionArguments &arguments, Stage stage, unsigned location);

} // namespace pathprof

#endif
