// SPDX-License-Identifier: GPL-3.0-or-later
// Peels the first iteration of loops.
//
// In the first iteration of a loop, the path register still contains the path that led to the loop; later iterations
// all start at the loop header.  The path IDs of the loop body are therefore compile-time constants only from the
// second iteration on.  A copy of the body for the first iteration separates the two cases.  The paths, their IDs and
// their counts do not change.
#ifndef PATHPROF_CORE_PLAN_PEEL_H
#define PATHPROF_CORE_PLAN_PEEL_H

#include <cstdint>
#include <vector>

#include "core/graph/flow_graph.h"
#include "core/graph/loop.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

// A flow graph after peeling.  The original blocks and edges keep their numbers, and the copies are numbered after
// them.  In a peeled loop, the original blocks represent all iterations except the first.
struct Peeled {
  FlowGraph graph;
  std::vector<int> block_of; // original block of each block
  std::vector<int> edge_of;  // original edge of each edge

  // Candidate loops, and copies of them, that no path enters from outside after peeling.  Inner loops precede outer
  // loops.
  std::vector<Loop> loops;

  // Blocks and edges that were copied to peel one loop, in the order in which the copies were numbered.
  struct Copy {
    std::vector<int> blocks; // blocks to copy; the loop header comes first
    std::vector<int> edges;
  };
  std::vector<Copy> copies;
};

// Peels the first iteration of each loop that a path can enter from outside.  Skips a loop if it has several back
// edges by the time it is processed.  The loops must be in the order in which `natural_loops` returns them.
Peeled peel(const FlowGraph &graph, const std::vector<Loop> &loops);

// Returns edge values for the path graph of the peeled graph such that every path keeps its ID.
std::vector<int64_t> vals_after_peeling(const PathGraph &peeled_paths, const Peeled &peeled, const PathGraph &paths,
                                        const std::vector<int64_t> &vals);

} // namespace pathprof

#endif
