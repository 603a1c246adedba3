// SPDX-License-Identifier: GPL-3.0-or-later
// switch=1: lets a plain function begin with the question whether its instrumented version is to run, and compiles that
// one behind it.
#ifndef PATHPROF_PLUGIN_ENTRY_ENTRY_SWITCH_CHECK_H
#define PATHPROF_PLUGIN_ENTRY_ENTRY_SWITCH_CHECK_H

namespace pathprof {

void register_entry_switch_check(const char *plugin_name);

} // namespace pathprof

#endif
