// SPDX-License-Identifier: GPL-3.0-or-later
// The paths that never ran, those nearest to executed ones first.
//
// A path's decisions are its edges out of nodes that have several.  The distance of a path from an executed one is the
// number of its decisions that the executed one does not make: so many branches must take another edge, or are not
// passed at all there.  Its distance from all executed ones is the smallest of these.
//
// No path is looked at that lies farther than those wanted.  With nodes that have one successor contracted, the
// decisions that a walk still has to make before it can join an executed path again follow from those of its successors
// (dynamic programming in reverse topological order); a walk is given up where they are too many.  So what is spent
// depends on the executed paths and on how many near ones there are, not on how many paths the graph has.
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
  uint64_t nearest = 0;  // number of the executed path; of several the one that ran most, the first of these
  uint64_t count = 0;    // how often that ran
  uint32_t distance = 0; // at least 1

  // Nearer ones come first, then those whose nearest path ran more often, then smaller numbers.
  bool operator<(const UnexecutedPath &other) const;
};

struct UnexecutedPaths {
  std::vector<UnexecutedPath> paths; // sorted
  bool is_complete = true;           // else the search was ended early: nearer ones than the last may be missing
};

// The `limit` nearest ones, or all if there are fewer.  `executed`: numbers and how often each ran, by increasing
// number; if it is empty there are no nearest ones.  `effort` is lowered by the number of edges that the search looked
// at, and ends it at 0.
UnexecutedPaths nearest_unexecuted(const PathGraph &graph, const PathNumbering &numbering,
                                   const std::vector<std::pair<uint64_t, uint64_t>> &executed, size_t limit,
                                   uint64_t &effort);

} // namespace pathprof

#endif
