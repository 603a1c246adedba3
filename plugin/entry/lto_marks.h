// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the use of arguments with -flto. Some arguments cause functions to be instrumented at link time, and must then
// also be passed to the link command. Objects that must be instrumented at link time contain a mark.
#ifndef PATHPROF_PLUGIN_ENTRY_LTO_MARKS_H
#define PATHPROF_PLUGIN_ENTRY_LTO_MARKS_H

#include "plugin/options/arguments.h"

namespace pathprof {

// Marks object files that must be instrumented at link time. Reports an error if marked object files are linked without
// the argument with which they were compiled.
void check_link(const char *plugin_name, const Arguments &arguments);

// Returns true if the program that is being linked contains code that was instrumented at compile time.
bool is_instrumented_already();

} // namespace pathprof

#endif
