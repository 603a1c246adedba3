// SPDX-License-Identifier: GPL-3.0-or-later
// Where passes of the plugin run.  Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_GCC_PASSES_H
#define PATHPROF_PLUGIN_GCC_PASSES_H

namespace pathprof {

// The pass runs before, behind or instead of the first run of GCC's pass of this name.  GCC owns it.  Of several behind
// the same one, the last that was registered runs first.
inline void register_pass(const char *plugin_name, opt_pass *pass, const char *anchor,
                          pass_positioning_ops position = PASS_POS_INSERT_AFTER) {
  register_pass_info info = {pass, anchor, 1, position};
  register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

} // namespace pathprof

#endif
