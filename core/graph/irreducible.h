// SPDX-License-Identifier: GPL-3.0-or-later
// Makes irreducible graphs reducible by node splitting (Aho, Sethi, Ullman 1986, section 10.9).
//
// An irreducible region is entered at several blocks.  One of these entries is chosen as the header.  The blocks of the
// region that are reachable from the other entries without passing through the header are copied.  Edges from outside
// lead to the copies, and the copies lead to the header.
#ifndef PATHPROF_CORE_GRAPH_IRREDUCIBLE_H
#define PATHPROF_CORE_GRAPH_IRREDUCIBLE_H

#include <optional>
#include <vector>

#include "core/graph/flow_graph.h"

namespace pathprof {

// Split of one irreducible region.
struct Split {
  int head = 0;
  std::vector<int> blocks;  // blocks to copy, in increasing order
  std::vector<int> entries; // edges from outside the region to these blocks; they will lead to the copies
};

// Returns the split of an outermost irreducible region, or nothing if there is no such region.  The header is the entry
// that minimizes the total size of the copied blocks.  If abnormal or exception edges enter the region or abnormal
// edges leave it, the region is skipped, including all regions inside it.
std::optional<Split> find_split(const FlowGraph &graph, const std::vector<int> &sizes);

// Returns the graph after the split.  The copies are numbered after the original blocks.  Their out-edges are numbered
// after the original edges and ordered by block.
FlowGraph apply_split(const FlowGraph &graph, const Split &split);

} // namespace pathprof

#endif
