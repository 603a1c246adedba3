// SPDX-License-Identifier: GPL-3.0-or-later
// Peeling the first iteration of loops.
//
// The first time through a loop a path brings along how control came there; later iterations all start at
// the loop's head.  So the paths of a loop body have numbers that are known when the program is compiled
// only from the second iteration on.  A copy of the body for the first iteration makes the two different
// code: the paths, their numbers and their counts stay what they are.
#ifndef PATHPROF_CORE_PLAN_PEEL_H
#define PATHPROF_CORE_PLAN_PEEL_H

#include <cstdint>
#include <vector>

#include "core/graph/flow_graph.h"
#include "core/graph/loop.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

// A flow graph after peeling.  Blocks and edges keep their numbers, and those of a peeled loop are all
// iterations but the first; copies follow.
struct Peeled {
  FlowGraph graph;
  std::vector<int> block_of; // the block that each block is or is a copy of, from the start
  std::vector<int> edge_of;

  // The loops whose iterations are all alike, and all copies of them; those that are in another before it.
  std::vector<Loop> loops;

  // How the graph came about, one loop after the other: these blocks and edges were copied, in this order.
  struct Copy {
    std::vector<int> blocks; // the head first
    std::vector<int> edges;
  };
  std::vector<Copy> copies;
};

// Peels the first iteration off those of these loops where it differs; not of one that has several back edges by
// then.  They must come in the order of natural_loops.
Peeled peel(const FlowGraph &graph, const std::vector<Loop> &loops);

// The vals of a peeled graph's path graph: every path keeps its number.
std::vector<int64_t> vals_after_peeling(const PathGraph &peeled_paths, const Peeled &peeled, const PathGraph &paths,
                                        const std::vector<int64_t> &vals);

} // namespace pathprof

#endif
