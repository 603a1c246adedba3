// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the cost of an edge profile of the same run, and predicts paths from it (Ball and Larus 1996, section 6).
#ifndef PATHPROF_CORE_ANALYSIS_EDGE_PROFILE_H
#define PATHPROF_CORE_ANALYSIS_EDGE_PROFILE_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/numbering/path_graph.h"

namespace pathprof {

// Returns the number of counter increments that an edge profile needs if the counters are placed on the chords of a
// maximum spanning tree (Ball and Larus 1994).  No other placement that determines all edge counts needs fewer
// increments.  `traversals` contains the count of each flow edge, and `calls` is the count of the edge EXIT→ENTRY.
unsigned __int128 edge_increments(const FlowGraph &graph, const std::vector<uint64_t> &traversals, uint64_t calls);

// Predicts paths by following the most frequent edge out of each block.  If several edges are equally frequent, follows
// the first of them that is not a true edge (kTrue) or, if all are true edges, the first edge.
class EdgePredictor {
public:
  // Keeps a reference to `graph`.
  EdgePredictor(const FlowGraph &graph, const std::vector<uint64_t> &traversals);

  struct Prediction {
    size_t edges = 0;        // number of edges after the context that were predicted before the first error
    bool is_correct = false; // true if all edges, and the end at a cut edge if there is one, were predicted
  };
  Prediction follow(const Path &path) const;

private:
  const FlowGraph &graph_;
  std::vector<int> predicted_; // predicted out-edge of each block, or -1
};

} // namespace pathprof

#endif
