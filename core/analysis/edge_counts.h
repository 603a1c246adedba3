// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the execution count of each flow edge from the execution counts of paths.
//
// The count of an edge that is not a truncation point is the sum of the counts of its paths.  A cut edge v→w is on no
// path, but the paths that end at v are followed by one of the cut edges that leave v, and the paths that start at w
// are preceded by one of the cut edges that enter w.  The count of a surrogate edge is thus the sum over the cut edges
// that share it.
#ifndef PATHPROF_CORE_ANALYSIS_EDGE_COUNTS_H
#define PATHPROF_CORE_ANALYSIS_EDGE_COUNTS_H

#include <cstdint>
#include <vector>

#include "core/numbering/path_graph.h"

namespace pathprof {

class EdgeCounts {
public:
  // Keeps a reference to `flow`, whose truncation points must be marked.  With `exact_termination`, a path that leaves
  // a block through an abnormal edge is counted as truncated if the block also has ordinary out-edges.  `uncounted` is
  // nonzero for each flow edge on which a path starts but no path is counted: an edge that control takes if an
  // exception leaves a call that interprocedural paths go through or end at.  An empty vector means that there are no
  // such edges.
  EdgeCounts(const FlowGraph &flow, bool exact_termination, std::vector<char> uncounted = {});

  // Adds `count` executions of a path of any model.  The path's context is ignored, because it was counted with another
  // path.
  void add(const Path &path, uint64_t count);

  // Returns the execution count of each flow edge, saturated at 2^64 − 1.  If no path was lost, the counts of uncut
  // edges are exact.  The counts of cut edges are derived from the numbers of paths that end before them and start
  // after them.  If the numbers differ, the number of ends takes precedence, because a path that has started may never
  // be counted.  If these numbers do not determine the counts of the cut edges, the paths are divided among the edges
  // in proportion to `estimate`, which contains one value per flow edge.
  std::vector<uint64_t> traversals(const std::vector<double> &estimate) const;

  // Returns a lower bound of the execution count of each flow edge, saturated at 2^64 − 1.  The bounds hold even if only
  // some executions of paths were counted.
  std::vector<uint64_t> least_traversals() const;

  // starts() returns, for each block, the number of paths that start at the block after a cut edge. ends() returns the
  // number of paths that end at the block before a cut edge.
  const std::vector<unsigned __int128> &starts() const { return starts_; }
  const std::vector<unsigned __int128> &ends() const { return ends_; }

private:
  // Counts the entries of `path` into collapsed loops, by loop header, and its exits from them, by the block that
  // control leaves.
  void add_passages(const Path &path, uint64_t count);

  // Returns the counts of all flow edges, given those of the cut edges.
  std::vector<uint64_t> with_uncut(const std::vector<unsigned __int128> &of_cuts) const;

  // Returns the cut edges that control can take after a path that is counted with the surrogate edge `end`.
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
