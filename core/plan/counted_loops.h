// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the paths of loops with a known trip count at the loop exit.
//
// If a loop has a single path around it and its trip count is known on entry, its path counts are known, too: the path
// of the first iteration, which began outside of the loop, is counted once, and the path of the later iterations is
// counted once per iteration.  Both paths are counted on the exit edge, so no operation remains in the loop.  An outer
// loop that satisfies the same conditions is treated in the same way.
#ifndef PATHPROF_CORE_PLAN_COUNTED_LOOPS_H
#define PATHPROF_CORE_PLAN_COUNTED_LOOPS_H

#include <cstdint>
#include <map>
#include <vector>

#include "core/graph/loop.h"
#include "core/plan/placement.h"
#include "core/plan/plan.h"

namespace pathprof {

// Number of times that control takes the back edge each time it enters a loop, by loop header; at least 1.
using TripCounts = std::map<int, uint64_t>;

// Removes from `candidates`, which are in the order of natural_loops, the loops that are to be counted at their exits,
// and returns them.  Loops that contain a returned loop cannot be peeled, and loops that contain a remaining candidate
// cannot be counted at their exits; such outer loops are dropped from both lists.
std::vector<Loop> take_counted_loops(std::vector<Loop> &candidates, const TripCounts &trip_counts);

// Adds barriers to `options` that keep the counts of these loops in place: counts must not move out of the headers and
// latches, and the register must be set before them.
void keep_ends(const std::vector<Loop> &loops, const FlowGraph &graph, PlacementOptions &options);

// Counts the loops at their exits, inner loops first, if possible.  A loop must have one exit and, apart from inner
// loops that are counted at their exits, a single path around it, and the total effect of its operations must be known.
// `already` are loops that were counted at their exits before.  Returns the headers of the loops that were changed.
std::vector<int> sink_counts(const std::vector<Loop> &loops, const TripCounts &trip_counts, const FlowGraph &graph,
                             Plan &plan, const std::vector<Loop> &already = {});

// Returns operations that count the path with ID r + `offset`, perform `repeated`, and set the register to `start`.
Ops exit_count_ops(int64_t offset, const op::Repeat &repeated, int64_t start);

} // namespace pathprof

#endif
