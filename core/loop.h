// SPDX-License-Identifier: GPL-3.0-or-later
// Natural loops, and peeling their first iteration.
//
// The first time through a loop a path brings along how control came there; later iterations all start at
// the loop's head.  So the paths of a loop body have numbers that are known when the program is compiled
// only from the second iteration on.  A copy of the body for the first iteration makes the two different
// code: the paths, their numbers and their counts stay what they are.
#ifndef PATHPROF_CORE_LOOP_H
#define PATHPROF_CORE_LOOP_H

#include <cstdint>
#include <vector>

#include "core/flow_graph.h"
#include "core/path_graph.h"

namespace pathprof {

// A loop that control enters at its head only, with one back edge and no other cut edge between its blocks, and
// no abnormal edge into or out of it.
struct Loop {
  int back_edge = 0;
  std::vector<int> blocks; // the head first
  int head() const { return blocks.front(); }
};

// Such loops that hold no other loop, in the order of their back edges.  Cuts must be marked.
std::vector<Loop> innermost_loops(const FlowGraph &graph);

// How many ways lead from the head to the back edge; saturates.
uint64_t num_body_paths(const FlowGraph &graph, const Loop &loop);

// Whether a path that began elsewhere can enter: the first iteration differs from the others then.
bool is_entered_on_paths(const FlowGraph &graph, const Loop &loop);

// Iterations for each time that control comes from outside, by the edges' frequencies; at least 1.
double trips(const FlowGraph &graph, const Loop &loop);

// A flow graph after peeling.  Blocks and edges keep their numbers, and those of a peeled loop are all
// iterations but the first; copies follow, loop by loop.
struct Peeled {
  FlowGraph graph;
  std::vector<int> block_of; // the block that each block is or is a copy of
  std::vector<int> edge_of;
  std::vector<Loop> loops;
  std::vector<char> is_peeled;            // by loop
  std::vector<std::vector<int>> entries;  // by loop, the edges from outside to its head
};

// Peels the first iteration off those of these (disjoint) loops where it differs.
Peeled peel(const FlowGraph &graph, const std::vector<Loop> &loops);

// The vals of a peeled graph's path graph: every path keeps its number.
std::vector<int64_t> vals_after_peeling(const PathGraph &peeled_paths, const Peeled &peeled,
                                        const PathGraph &paths, const std::vector<int64_t> &vals);

} // namespace pathprof

#endif
