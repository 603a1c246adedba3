// SPDX-License-Identifier: GPL-3.0-or-later
// What an edge profile of the same run costs, and what it says of paths (Ball and Larus 1996, section 6).
#ifndef PATHPROF_CORE_ANALYSIS_EDGE_PROFILE_H
#define PATHPROF_CORE_ANALYSIS_EDGE_PROFILE_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/numbering/path_graph.h"

namespace pathprof {

// How often the counters of an edge profile are incremented that has them on the chords of a maximum spanning tree
// (Ball and Larus 1994): the fewest increments that determine all edges.  `traversals` by flow edge; `calls` are those
// of EXIT→ENTRY.
unsigned __int128 edge_increments(const FlowGraph &graph, const std::vector<uint64_t> &traversals, uint64_t calls);

// Predicts paths by always taking the most frequent edge out of a block; of equally frequent ones the one that is not a
// taken branch, of several the first.
class EdgePredictor {
public:
  // Keeps a reference to `graph`.
  EdgePredictor(const FlowGraph &graph, const std::vector<uint64_t> &traversals);

  struct Prediction {
    size_t edges = 0;        // of the path, behind its context, before the first one that was not predicted
    bool is_correct = false; // all were, and so was the end over a cut edge where the path ends with one
  };
  Prediction follow(const Path &path) const;

private:
  const FlowGraph &graph_;
  std::vector<int> predicted_; // by block: an edge, or none
};

} // namespace pathprof

#endif
