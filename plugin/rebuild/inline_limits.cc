// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/rebuild/inline_limits.h"

#include <algorithm>

#include "plugin/rebuild/changed_options.h"

namespace pathprof {

// On the options that are current.  The values are those of -O3 in default_options_table of GCC 12 (opts.cc).
static void raise_limits() {
  if (optimize < 2 || optimize_size)
    return;
  // Instructions by which a function that is not declared inline, or one that is, may grow its caller.
  if (!global_options_set.x_param_max_inline_insns_auto)
    param_max_inline_insns_auto = std::max(param_max_inline_insns_auto, 30);
  if (!global_options_set.x_param_max_inline_insns_single)
    param_max_inline_insns_single = std::max(param_max_inline_insns_single, 200);
  // By how much these are larger, in percent, where what GCC knows of the arguments would simplify the body.
  if (!global_options_set.x_param_inline_heuristics_hint_percent)
    param_inline_heuristics_hint_percent = std::max(param_inline_heuristics_hint_percent, 600);
  // Percent of the time of caller and callee that inlining must save to be worth more than these limits allow.
  if (!global_options_set.x_param_inline_min_speedup)
    param_inline_min_speedup = std::min(param_inline_min_speedup, 15);
}

void raise_inline_limits(const std::vector<cgraph_node *> &callers) {
  ChangedOptions raised(raise_limits);
  for (cgraph_node *caller : callers) {
    tree &options = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(caller->decl);
    options = raised.of(options ? options : optimization_default_node);
  }
}

} // namespace pathprof
