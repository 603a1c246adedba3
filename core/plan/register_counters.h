// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the body paths of a peeled loop in registers.
//
// From the second iteration on, a path around a loop starts at the loop header with a known register value.  If the
// body has few paths, the counter of each path is therefore known at compile time.  Each path gets a register counter,
// which is cleared when control enters the loop and added to the counter in memory when control leaves it.
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

// A plan for a graph in which each loop was peeled if its paths can then be counted in registers.
struct RegisterCounterPlan {
  Peeled peeled;
  Plan plan; // plan for the peeled graph
  Increments increments;
  std::vector<std::vector<int64_t>> register_counters; // IDs of the paths with a register counter, per peeled loop
  std::vector<int> counted_loops; // headers of the loops that are counted at their exits (acyclic paths only)
};

// Returns a plan that counts `paths` with these edge values.  Uses the cheapest tree policy if `options` permits trying
// several policies.  `candidates` contains the loops that may be peeled; it must be empty unless `paths` are acyclic
// paths.  Peels a candidate if at most `max_counters` register counters suffice for most of its iterations.  Loops that
// are counted at their exits and loops that contain them are not peeled.
RegisterCounterPlan plan_with_register_counters(const PathGraph &paths, const std::vector<int64_t> &vals,
                                                const std::vector<Loop> &candidates, size_t max_counters,
                                                const PlacementOptions &options = {},
                                                const TripCounts &trip_counts = {});

} // namespace pathprof

#endif
