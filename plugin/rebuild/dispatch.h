// SPDX-License-Identifier: GPL-3.0-or-later
// Duplicates the dispatch of interpreter loops, so that handlers have their own dispatch (rebuild=dispatch).
#ifndef PATHPROF_PLUGIN_REBUILD_DISPATCH_H
#define PATHPROF_PLUGIN_REBUILD_DISPATCH_H

#include <cstdint>
#include <vector>

#include "plugin/options/arguments.h"
#include "plugin/rebuild/replay.h"

namespace pathprof {

// The predicted benefit of duplicating the dispatch in a function, and the copied switches.
struct DispatchForecast {
  uint64_t dispatches = 0; // executions of switches that a loop header leads to
  uint64_t foreseen = 0;   // dispatches whose copy would predict the case correctly
  int size = 0;            // size of the copies, about one unit per instruction
  bool is_worth_it = false;
  std::vector<basic_block_def *> switches; // blocks of the copied switches

  double share() const { return dispatches ? static_cast<double>(foreseen) / static_cast<double>(dispatches) : 0; }
};

// Duplicates the dispatch of loops whose header leads to a switch. Path sequences show which switch case is executed
// after each path. If the same case usually follows a hot path, the path receives its own copies of the shared blocks
// up to the switch. The copies must fit in a budget and must predict enough dispatches (dispatch.cc). If a block was
// copied, counts are no longer valid.
DispatchForecast copy_dispatch(CopiedCfg &cfg, uint64_t hot, DispatchStep step);
// Returns the minimum share of all dispatches that the copies must predict.
double least_foreseen(DispatchStep step);

// Inserts a test for the likeliest case before each switch in `switches`. The blocks of the switches must have measured
// counts.
void peel_likely_cases(const std::vector<basic_block_def *> &switches);

} // namespace pathprof

#endif
