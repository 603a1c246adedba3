// SPDX-License-Identifier: GPL-3.0-or-later
// Registers the plugin's passes with GCC. Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_GCC_PASSES_H
#define PATHPROF_PLUGIN_GCC_PASSES_H

namespace pathprof {

// Registers a pass to run before, after or instead of the first instance of GCC's pass `anchor`. GCC takes ownership of
// the pass object. If several passes are registered after the same anchor, the one registered last runs first.
inline void register_pass(const char *plugin_name, opt_pass *pass, const char *anchor,
                          pass_positioning_ops position = PASS_POS_INSERT_AFTER) {
  register_pass_info info = {pass, anchor, 1, position};
  register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

} // namespace pathprof

#endif
