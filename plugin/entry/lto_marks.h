// SPDX-License-Identifier: GPL-3.0-or-later
// With -flto some arguments have functions instrumented when the program is linked, and only if the linking command
// has them, too.  Objects that wait for that carry a mark.
#ifndef PATHPROF_PLUGIN_ENTRY_LTO_MARKS_H
#define PATHPROF_PLUGIN_ENTRY_LTO_MARKS_H

#include "plugin/options/arguments.h"

namespace pathprof {

// Marks what is compiled to be instrumented when it is linked; has linking without the same argument refused.
void check_link(const char *plugin_name, const Arguments &arguments);

// Whether the program being linked holds something that was instrumented when it was compiled.
bool is_instrumented_already();

} // namespace pathprof

#endif
