// SPDX-License-Identifier: GPL-3.0-or-later
// Counting loops that go around a known number of times where control leaves them.
//
// Where a loop has one way around, and it is known how often control takes it, so is what it counts: the first
// iteration's path, which came from elsewhere, once, and those of all later ones together.  Nothing is left in the
// loop, nor in loops around it of which the same holds.
#ifndef PATHPROF_CORE_SETTLE_H
#define PATHPROF_CORE_SETTLE_H

#include <cstdint>
#include <map>
#include <vector>

#include "core/loop.h"
#include "core/placement.h"
#include "core/plan.h"

namespace pathprof {

// By a loop's head: how often control surely goes over its back edge each time that it enters, at least once.
using Settling = std::map<int, uint64_t>;

// Moves the loops that are to settle out of the candidates, which are in the order of natural_loops; other loops around
// them are no candidates any more.  Those with another candidate inside, which may be peeled, are neither.
std::vector<Loop> take_settling(std::vector<Loop> &candidates, const Settling &settling);

// Where counts must stay, and the register have its value, for these loops to settle.
void keep_ends(const std::vector<Loop> &loops, const FlowGraph &graph, PlacementOptions &options);

// Lets those loops of a plan settle, inner ones first, where that is possible: a loop has one exit, one way around but
// for loops inside that have settled, as these have already, and on it only operations whose result is known.  Returns
// the heads of those that do.
std::vector<int> settle(const std::vector<Loop> &loops, const Settling &settling, const FlowGraph &graph, Plan &plan,
                        const std::vector<Loop> &already = {});

// The operations that count a path at the register plus `offset`, and another one so often, and set the register.
Ops settling_ops(int64_t offset, RepeatedPath repeated, int64_t start, Plan &plan);

} // namespace pathprof

#endif
