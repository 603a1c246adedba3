// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the paths that were not executed and are nearest to executed paths.
//
// The decisions of a path are its edges out of nodes with several out-edges.  The distance of a path from an executed
// path is the number of its decisions that the executed path does not contain; these branches have another outcome, or
// the executed path does not reach them.  The distance from a set of executed paths is the minimum.
//
// Paths beyond the required distance are not visited.  After contraction of nodes with one successor, the number of
// further decisions before a walk can rejoin the executed path is computed by dynamic programming in reverse
// topological order.  A walk with too many decisions is abandoned.  The cost depends on the numbers of executed paths
// and near paths, not on the number of paths in the graph.
#ifndef PATHPROF_CORE_ANALYSIS_UNEXECUTED_H
#define PATHPROF_CORE_ANALYSIS_UNEXECUTED_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/numbering/numbering.h"

namespace pathprof {

struct UnexecutedPath {
  uint64_t id = 0;
  uint64_t nearest = 0;  // path ID of the nearest executed path; the most frequent path, and then the first, in case of
                         // a tie
  uint64_t count = 0;    // execution count of `nearest`
  uint32_t distance = 0; // distance from `nearest`, at least 1

  // Orders paths by increasing distance, then by decreasing count of the nearest executed path, and then by path ID.
  bool operator<(const UnexecutedPath &other) const;
};

struct UnexecutedPaths {
  std::vector<UnexecutedPath> paths; // in sorted order
  bool is_complete = true;           // false if the search was stopped early, so `paths` may omit nearer paths
};

// Returns up to `limit` unexecuted paths, starting with the paths that are nearest to executed paths.  `executed` lists
// path IDs and execution counts in order of increasing ID; if it is empty, the result is empty, too.  `effort` is
// decremented for each visited edge, and the search stops when it reaches 0.
UnexecutedPaths nearest_unexecuted(const PathGraph &graph, const PathNumbering &numbering,
                                   const std::vector<std::pair<uint64_t, uint64_t>> &executed, size_t limit,
                                   uint64_t &effort);

} // namespace pathprof

#endif
