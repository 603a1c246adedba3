// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the plugin's arguments go together.
#ifndef PATHPROF_PLUGIN_OPTIONS_COMBINATIONS_H
#define PATHPROF_PLUGIN_OPTIONS_COMBINATIONS_H

#include "plugin/options/arguments.h"

namespace pathprof {

// Whether all arguments that were given go together, by the modes that functions have or may have by the scheme file;
// else an error says what the first one that does not works with.
bool check_combinations(const Arguments &arguments);

// The same for the arguments that one function has in the end: lines of a scheme file may bring together for single
// functions what is right for others.
bool check_combination(const FunctionArguments &arguments, Stage stage, unsigned location);

} // namespace pathprof

#endif
