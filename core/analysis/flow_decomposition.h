// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces a large set of counted paths by a few paths with the same total count on every edge.
//
// Sums over the edges of paths, such as the execution counts of blocks and flow edges, depend only on the count of each
// path-graph edge.  Path IDs have the same order as their walks, so one traversal of the tree of all walks computes
// these counts and visits shared prefixes once.  The counts are a flow from ENTRY to EXIT, and at most one path per
// path-graph edge is needed to carry the flow.
#ifndef PATHPROF_CORE_ANALYSIS_FLOW_DECOMPOSITION_H
#define PATHPROF_CORE_ANALYSIS_FLOW_DECOMPOSITION_H

#include <cstdint>
#include <utility>
#include <vector>

#include "core/numbering/numbering.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

// A path ID and the execution count of the path.
using CountedPath = std::pair<uint64_t, uint64_t>;

class FlowDecomposition {
public:
  // Keeps references to the arguments.
  FlowDecomposition(const PathGraph &graph, const PathNumbering &numbering);

  // Returns true if sums over the edges of the resulting paths, such as block counts, equal the sums over the edges of
  // the added paths.  Returns false if paths have context, because such sums exclude the context.
  bool holds() const { return holds_; }
  // Adds a path.  Paths must be added in order of increasing ID.
  void add(uint64_t id, uint64_t count);
  // Returns the resulting paths.  Must be called exactly once, after the last path has been added.  A count above
  // UINT64_MAX is split into several entries.
  std::vector<CountedPath> paths();

private:
  using Amount = unsigned __int128;
  struct Step {
    int edge; // path-graph edge; -1 at ENTRY
    int node;
    uint64_t val;   // smallest path ID of the walks with this prefix
    Amount sum = 0; // sum of the counts of these walks
  };
  int edge_towards(int node, uint64_t rest) const;
  void pop();

  const PathGraph &graph_;
  const PathNumbering &numbering_;
  bool holds_;
  std::vector<std::vector<int>> ordered_succs_; // out-edges of each node in the order of increasing val
  std::vector<Step> steps_;
  std::vector<Amount> on_edge_; // execution count of each path-graph edge
};

} // namespace pathprof

#endif
