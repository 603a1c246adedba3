// SPDX-License-Identifier: GPL-3.0-or-later
// How often each edge of a flow graph was traversed, from the counts of its paths.
//
// An edge that is not cut was traversed as often as the paths it is on.  A cut edge v→w is on no
// path, but the paths that end at v follow the cut edges that leave v, and paths that start at w
// follow those that arrive there: each surrogate's count is the sum over the cut edges that share
// it.
#ifndef PATHPROF_CORE_ANALYSIS_EDGE_COUNTS_H
#define PATHPROF_CORE_ANALYSIS_EDGE_COUNTS_H

#include <cstdint>
#include <vector>

#include "core/numbering/path_graph.h"

namespace pathprof {

class EdgeCounts {
public:
  // Keeps a reference to `flow`, whose cuts are marked.  `exact_termination`: paths that were cut short at a call are
  // counted as such, so that no other path ends where an abnormal edge leaves beside ordinary ones.
  // `uncounted` says by flow edge over which of them no path ends (empty: over none): they lead away from calls that
  // paths go through, and only the paths that start behind them are counted.
  EdgeCounts(const FlowGraph &flow, bool exact_termination, std::vector<char> uncounted = {});

  // Adds executions of a path of this graph, in whatever model: context was counted with other paths.
  void add(const Path &path, uint64_t count);

  // Traversals of every flow edge, at most 2^64 − 1.  Exact for edges that are not cut, if no path
  // was lost. Of cut edges the ends are followed, as a path that starts may never be finished and
  // counted; the starts tell apart what leaves one block, and behind a fork they are more.  Where both leave a choice,
  // counts are split in the proportions of `estimate`, which has a value for every flow edge.
  std::vector<uint64_t> traversals(const std::vector<double> &estimate) const;

  // By block: executions of paths that start there after a cut edge, and that end there at one.
  const std::vector<unsigned __int128> &starts() const { return starts_; }
  const std::vector<unsigned __int128> &ends() const { return ends_; }

private:
  // Where a path enters and leaves a contracted loop, paths of the loop's own start and end.
  void add_passages(const Path &path, uint64_t count);

  // The cut edges whose traversals are counted as this end.
  std::vector<int> counted_ends(const PathEdge &end) const;

  PathGraph paths_; // acyclic
  bool exact_termination_;
  std::vector<char> uncounted_;
  std::vector<unsigned __int128> on_edge_; // by flow edge: executions of paths that it is on
  std::vector<unsigned __int128> starts_;
  std::vector<unsigned __int128> ends_;
  std::vector<unsigned __int128> entered_, left_; // by block: of paths that enter or leave a contracted loop there
};

} // namespace pathprof

#endif
