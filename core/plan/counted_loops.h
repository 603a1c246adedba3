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

// For each loop header, the number of times that control takes the back edge per entry into the loop.  The number is at
// least 1.
using TripCounts = std::map<int, uint64_t>;

// Returns the loops that are to be counted at their exits, and removes these loops from `candidates`.  `candidates`
// must be in the order in which `natural_loops` returns loops.  A loop that contains a returned loop cannot be peeled,
// and a loop that contains a remaining candidate cannot be counted at its exit.  Such outer loops are dropped from both
// lists.
std::vector<Loop> take_counted_loops(std::vector<Loop> &candidates, const TripCounts &trip_counts);

// Adds the headers and latches of these loops to the barriers in `options`.  Counts are then not moved out of these
// blocks, and the register is set before these blocks.
void keep_ends(const std::vector<Loop> &loops, const FlowGraph &graph, PlacementOptions &options);

// Moves the counts of loops to their exits if possible, starting with inner loops.  A loop must have one exit and a
// single path through its body, not counting paths in inner loops that are counted at their exits.  The total effect of
// its operations must be known.  `already` contains loops that have already been counted at their exits.  Returns the
// headers of the changed loops.
std::vector<int> sink_counts(const std::vector<Loop> &loops, const TripCounts &trip_counts, const FlowGraph &graph,
                             Plan &plan, const std::vector<Loop> &already = {});

// Returns operations that count the path with ID r + `offset`, perform `repeated`, and then set r to `start`.  Here, r
// is the path register.
Ops exit_count_ops(int64_t offset, const op::Repeat &repeated, int64_t start);

} // namespace pathprof

#endif
