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

// A flow graph after peeling.  The original blocks and edges keep their numbers; in a peeled loop, they represent all
// iterations but the first.  The copies follow.
struct Peeled {
  FlowGraph graph;
  std::vector<int> block_of; // original block of each block
  std::vector<int> edge_of;  // original edge of each edge

  // Peeled loops that no path enters from outside, and their copies; inner loops precede outer loops.
  std::vector<Loop> loops;

  // Blocks and edges that were copied, in this order, to peel one loop.
  struct Copy {
    std::vector<int> blocks; // blocks to copy; the loop header comes first
    std::vector<int> edges;
  };
  std::vector<Copy> copies;
};

// Peels the first iteration of each loop that a path can enter from outside.  A loop is skipped if it has several back
// edges by then.  The loops must be in the order of natural_loops.
Peeled peel(const FlowGraph &graph, const std::vector<Loop> &loops);

// Returns the vals of the peeled graph's path graph, with which every path keeps its ID.
std::vector<int64_t> vals_after_peeling(const PathGraph &peeled_paths, const Peeled &peeled, const PathGraph &paths,
                                        const std::vector<int64_t> &vals);

} // namespace pathprof

#endif
