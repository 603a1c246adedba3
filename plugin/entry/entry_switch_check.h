// SPDX-License-Identifier: GPL-3.0-or-later
// Inserts a switch check at the entry of uninstrumented functions, which jumps to the instrumented version, and
// compiles this version (switch=1).
#ifndef PATHPROF_PLUGIN_ENTRY_ENTRY_SWITCH_CHECK_H
#define PATHPROF_PLUGIN_ENTRY_ENTRY_SWITCH_CHECK_H

namespace pathprof {

void register_entry_switch_check(const char *plugin_name);

} // namespace pathprof

#endif
