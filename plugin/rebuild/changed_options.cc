// SPDX-License-Identifier: GPL-3.0-or-later
// Changes the compilation options of individual functions.
#include "plugin/rebuild/changed_options.h"

namespace pathprof {

tree ChangedOptions::of(tree options) {
  gcc_assert(!cfun);
  auto [at, is_new] = changed_.emplace(options, NULL_TREE);
  if (is_new) {
    cl_optimization_restore(&global_options, &global_options_set, TREE_OPTIMIZATION(options));
    change_();
    at->second = build_optimization_node(&global_options, &global_options_set);
    restore_default_options();
  }
  return at->second;
}

void restore_default_options() {
  cl_optimization_restore(&global_options, &global_options_set, TREE_OPTIMIZATION(optimization_default_node));
}

} // namespace pathprof
