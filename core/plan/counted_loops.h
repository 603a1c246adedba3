// SPDX-License-Identifier: GPL-3.0-or-later
// Counting loops that go around a known number of times where control leaves them.
//
// Where a loop has a single path around and its trip count is known on entry, what it counts is known, too: the path of
// the first iteration, which began outside of the loop, is counted once, and the path of all later iterations once for
// each of them.  Both are counted on the exit edge, and no operation is left in the loop, nor in loops around it of
// which the same holds.
#ifndef PATHPROF_CORE_PLAN_COUNTED_LOOPS_H
#define PATHPROF_CORE_PLAN_COUNTED_LOOPS_H

#include <cstdint>
#include <map>
#include <vector>

#include "core/graph/loop.h"
#include "core/plan/placement.h"
#include "core/plan/plan.h"

namespace pathprof {

// By a loop's head: how often control surely goes over its back edge each time that it enters, at least once.
using TripCounts = std::map<int, uint64_t>;

// Moves the loops that are to be counted at their exits out of the candidates, which are in the order of natural_loops,
// and returns them.  A loop around one of these is no candidate for peeling any more, and a loop around another
// candidate, which may be peeled, is not counted at its exit: such loops are dropped from both lists.
std::vector<Loop> take_counted_loops(std::vector<Loop> &candidates, const TripCounts &trip_counts);

// Adds to the options' barriers what these loops need to be counted at their exits: counts must not be moved out of the
// heads and latches, and the register must be set before them.
void keep_ends(const std::vector<Loop> &loops, const FlowGraph &graph, PlacementOptions &options);

// Lets those of the loops be counted at their exits, inner ones first, where that is possible: a loop must have one
// exit and, once the loops inside are counted so, a single path around, with operations only whose effect over all
// iterations is known. `already` are loops that are counted so already before.  Returns the heads of the loops that are
// counted at their exits.
std::vector<int> sink_counts(const std::vector<Loop> &loops, const TripCounts &trip_counts, const FlowGraph &graph,
                             Plan &plan, const std::vector<Loop> &already = {});

// The operations that count the path whose number is the register plus `offset`, count `repeated`, and set the register
// to `start`.
Ops exit_count_ops(int64_t offset, const op::Repeat &repeated, int64_t start);

} // namespace pathprof

#endif
