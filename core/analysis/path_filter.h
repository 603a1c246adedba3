// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the paths that avoid given blocks and edges.
#ifndef PATHPROF_CORE_ANALYSIS_PATH_FILTER_H
#define PATHPROF_CORE_ANALYSIS_PATH_FILTER_H

#include <cstdint>
#include <vector>

#include "core/numbering/path_graph.h"

namespace pathprof {

// Excludes the paths that pass through excluded blocks or edges.  A path that starts at a truncation point is also
// excluded if all cut edges into its first block are excluded, unless the path starts in a collapsed loop.  A path that
// ends at a truncation point is also excluded if all cut edges out of its last block are excluded, unless the path ends
// in a collapsed loop.
class PathFilter {
public:
  // Both vectors have one element per block or edge of the flow graph, which is nonzero if paths through the block or
  // edge are excluded.
  PathFilter(const FlowGraph &flow, std::vector<char> blocks, std::vector<char> edges);

  // Returns true if no path is excluded.
  bool is_empty() const;
  bool excludes(const Path &path) const;
  // Returns the number of paths in the path graph that are not excluded.  The number of all paths must be below 2^62.
  uint64_t num_paths(const PathGraph &paths) const;

private:
  bool excludes_all_cuts(const std::vector<int> &edges) const;
  bool excludes_node(const PathGraph &paths, int node) const;
  bool excludes_edge(const PathGraph &paths, const PathEdge &edge) const;

  const FlowGraph &flow_;
  std::vector<char> blocks_;
  std::vector<char> edges_;
};

} // namespace pathprof

#endif
