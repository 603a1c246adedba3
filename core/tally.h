// SPDX-License-Identifier: GPL-3.0-or-later
// Counting a peeled loop's body paths in registers.
//
// From the second iteration on a path around a loop starts at its head with an empty register, so
// where a body has few paths the counter of each is known when the program is compiled.  Each gets
// a register, its tally, which is cleared where control enters and added to the counter where it
// leaves.
#ifndef PATHPROF_CORE_TALLY_H
#define PATHPROF_CORE_TALLY_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/loop.h"
#include "core/placement.h"
#include "core/plan.h"
#include "core/settle.h"

namespace pathprof {

// A plan for a graph whose loops were peeled where that lets them count in tallies.
struct TalliedPlan {
  Peeled peeled;
  Plan plan; // of the peeled graph
  Increments increments;
  std::vector<std::vector<int64_t>> tallies; // of each peeled loop
  std::vector<int> settled;                  // heads of the loops that settle, of acyclic paths
};

// Plans the counting of `paths` under these vals, with the tree policy that costs least (or the
// default).  Of the candidates those
// loops are peeled that need no more than `max_tallies` each; there may be some for acyclic paths only.  Those that
// are to settle are not, nor loops around them.
TalliedPlan plan_with_tallies(const PathGraph &paths, const std::vector<int64_t> &vals,
                              const std::vector<Loop> &candidates, size_t max_tallies,
                              const PlacementOptions &options = {}, const Settling &settling = {});

} // namespace pathprof

#endif
