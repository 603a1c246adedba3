// SPDX-License-Identifier: GPL-3.0-or-later
// Counting a peeled loop's body paths in registers.
//
// From the second iteration on a path around a loop starts at its head with an empty register, so
// where a body has few paths the counter of each is known when the program is compiled.  Each gets
// a register counter, which is cleared where control enters and added to the counter in memory where it
// leaves.
#ifndef PATHPROF_CORE_PLAN_REGISTER_COUNTERS_H
#define PATHPROF_CORE_PLAN_REGISTER_COUNTERS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/graph/loop.h"
#include "core/plan/peel.h"
#include "core/plan/placement.h"
#include "core/plan/plan.h"
#include "core/plan/counted_loops.h"

namespace pathprof {

// A plan for a graph whose loops were peeled where that lets them count in registers.
struct RegisterCounterPlan {
  Peeled peeled;
  Plan plan; // of the peeled graph
  Increments increments;
  std::vector<std::vector<int64_t>> register_counters; // of each peeled loop
  std::vector<int> counted_loops; // heads of the loops that are counted at their exits, of acyclic paths
};

// Plans the counting of `paths` under these vals, with the tree policy that costs least (or the
// default).  Of the candidates those
// loops are peeled that need no more than `max_counters` each; there may be some for acyclic paths only.  Those that
// are to be counted at their exits are not, nor loops around them.
RegisterCounterPlan plan_with_register_counters(const PathGraph &paths, const std::vector<int64_t> &vals,
                                                const std::vector<Loop> &candidates, size_t max_counters,
                                                const PlacementOptions &options = {},
                                                const TripCounts &trip_counts = {});

} // namespace pathprof

#endif
