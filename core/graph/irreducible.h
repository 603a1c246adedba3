// SPDX-License-Identifier: GPL-3.0-or-later
// Making graphs reducible by splitting nodes (Aho, Sethi, Ullman 1986, section 10.9).
//
// Of a region that control enters at several blocks one is chosen as the head.  What can be reached in the region from
// the other entries without the head is copied: control from outside enters the copy, and leaves it for the head.
#ifndef PATHPROF_CORE_GRAPH_IRREDUCIBLE_H
#define PATHPROF_CORE_GRAPH_IRREDUCIBLE_H

#include <optional>
#include <vector>

#include "core/graph/flow_graph.h"

namespace pathprof {

// What to copy of one region.
struct Split {
  int head = 0;
  std::vector<int> blocks;  // to be copied, in increasing order
  std::vector<int> entries; // edges from outside the region to them: they lead to the copies
};

// An outermost irreducible region, with the head for which the least is copied, by the sizes of blocks.  Regions with
// abnormal or exceptional edges into their blocks are left alone, and what is in them.  Nothing if there is none.
std::optional<Split> find_split(const FlowGraph &graph, const std::vector<int> &sizes);

// The graph with copies behind its blocks and edges: those of the split's blocks, and those that leave them, block
// by block.
FlowGraph apply_split(const FlowGraph &graph, const Split &split);

} // namespace pathprof

#endif
