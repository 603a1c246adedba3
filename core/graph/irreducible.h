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
// that minimizes the total size of the copied blocks.  If an abnormal or exception edge leads to a block of the region,
// or an abnormal edge leaves such a block, the region and all regions inside it are skipped.
std::optional<Split> find_split(const FlowGraph &graph, const std::vector<int> &sizes);

} // namespace pathprof

#endif
