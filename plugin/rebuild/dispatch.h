// SPDX-License-Identifier: GPL-3.0-or-later
// Giving handlers of an interpreter a dispatch of their own.
#ifndef PATHPROF_PLUGIN_REBUILD_DISPATCH_H
#define PATHPROF_PLUGIN_REBUILD_DISPATCH_H

#include <cstdint>
#include <vector>

#include "plugin/options/arguments.h"
#include "plugin/rebuild/replay.h"

namespace pathprof {

// What copying dispatches would bring to a function, and whether it was done.
struct DispatchForecast {
  uint64_t dispatches = 0; // executions of switches at the heads of loops
  uint64_t foreseen = 0;   // those that would take the likeliest case in a copy
  int size = 0;            // of the copies, about one an instruction
  bool is_worth_it = false;
  std::vector<basic_block_def *> switches; // blocks of the copies that were made

  double share() const { return dispatches ? static_cast<double>(foreseen) / static_cast<double>(dispatches) : 0; }
};

// In loops whose head leads to a switch, sequences of paths say which case follows which.  Where a hot path around the
// loop is mostly followed by one case, it gets copies of what it shares with others from there to the switch, within a
// budget, and if enough can be foreseen (dispatch.cc).  The remarks on counts at thread_paths apply.
DispatchForecast copy_dispatch(CopiedCfg &cfg, uint64_t hot, DispatchStep step);
// The least share of all dispatches to be foreseen.
double least_foreseen(DispatchStep step);

// Puts a test for the likeliest case before each of these switches, whose blocks must have measured counts.
void peel_likely_cases(const std::vector<basic_block_def *> &switches);

} // namespace pathprof

#endif
