// SPDX-License-Identifier: GPL-3.0-or-later
// Raises GCC's inlining limits for executed functions.
#include "plugin/rebuild/inline_limits.h"

#include <algorithm>

#include "plugin/rebuild/changed_options.h"

namespace pathprof {

// Raises the limits in the current options to their -O3 values, as listed in default_options_table of GCC 12 (opts.cc).
static void raise_limits() {
  if (optimize < 2 || optimize_size)
    return;
  // Maximum size of a callee in instructions. The first limit applies to callees that are not declared inline, the
  // second limit to callees that are.
  if (!global_options_set.x_param_max_inline_insns_auto)
    param_max_inline_insns_auto = std::max(param_max_inline_insns_auto, 30);
  if (!global_options_set.x_param_max_inline_insns_single)
    param_max_inline_insns_single = std::max(param_max_inline_insns_single, 200);
  // Percentage to which GCC scales these limits if known arguments would simplify the callee's body.
  if (!global_options_set.x_param_inline_heuristics_hint_percent)
    param_inline_heuristics_hint_percent = std::max(param_inline_heuristics_hint_percent, 600);
  // A callee above these limits is still inlined if inlining saves at least this percentage of the execution time of
  // caller and callee.
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
