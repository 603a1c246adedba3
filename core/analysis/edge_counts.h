// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the execution count of each flow edge from the execution counts of paths.
//
// The count of an edge that is not a truncation point is the sum of the counts of its paths.  A cut edge v→w is on no
// path, but the paths that end at v continue over the cut edges that leave v, and the paths that start at w arrive over
// the cut edges that enter w.  The count of a surrogate edge is thus the sum over the cut edges that share it.
#ifndef PATHPROF_CORE_ANALYSIS_EDGE_COUNTS_H
#define PATHPROF_CORE_ANALYSIS_EDGE_COUNTS_H

#include <cstdint>
#include <vector>

#include "core/numbering/path_graph.h"

namespace pathprof {

class EdgeCounts {
public:
  // Keeps a reference to `flow`, whose truncation points are marked.  With `exact_termination`, paths that were
  // truncated at a call are counted separately, so no other path ends at a block with both an abnormal and an ordinary
  // out-edge. `uncounted` marks flow edges at which no path end is counted: they leave calls that paths go through, and
  // only the paths that start after them are counted.  An empty vector marks no edges.
  EdgeCounts(const FlowGraph &flow, bool exact_termination, std::vector<char> uncounted = {});

  // Adds executions of a path of any model; the path's context is ignored, because other paths have counted it.
  void add(const Path &path, uint64_t count);

  // Returns the execution count of every flow edge, saturated at 2^64 − 1.  If no path was lost, the counts are exact
  // for edges that are not truncation points.  For cut edges, the counts of path ends take precedence, because a path
  // that starts may never be counted.  The counts of path starts distinguish the edges that leave one block; after a
  // fork, they exceed the counts of ends.  If both leave a choice, counts are divided in proportion to `estimate`,
  // which has one value per flow edge.
  std::vector<uint64_t> traversals(const std::vector<double> &estimate) const;

  // Return, by block, the number of paths that start there after a cut edge, or that end there at a cut edge.
  const std::vector<unsigned __int128> &starts() const { return starts_; }
  const std::vector<unsigned __int128> &ends() const { return ends_; }

private:
  // Adds the ends and starts of a collapsed loop's own paths when `path` enters and leaves the loop.
  void add_passages(const Path &path, uint64_t count);

  // Returns the cut edges at which this end is counted.
  std::vector<int> counted_ends(const PathEdge &end) const;

  PathGraph paths_; // graph of acyclic paths
  bool exact_termination_;
  std::vector<char> uncounted_;
  std::vector<unsigned __int128> on_edge_; // executions of the paths that contain each flow edge
  std::vector<unsigned __int128> starts_;
  std::vector<unsigned __int128> ends_;
  std::vector<unsigned __int128> entered_, left_; // executions of paths that enter or leave a
                                                  // collapsed loop at each block
};

} // namespace pathprof

#endif
