// SPDX-License-Identifier: GPL-3.0-or-later
// A few paths whose counts add up to the same, edge by edge, as those of a great many.
//
// What is summed over the edges of paths, such as how often blocks and edges of the flow graph were executed, depends
// on nothing but how often each edge of the path graph was walked.  Numbers of paths are sorted as their walks are, so
// these amounts come out of one walk over the tree of all walks, which goes over each shared beginning once.  They are
// a flow from ENTRY to EXIT, which as many paths carry as the path graph has edges, at most.
#ifndef PATHPROF_CORE_ANALYSIS_FLOW_DECOMPOSITION_H
#define PATHPROF_CORE_ANALYSIS_FLOW_DECOMPOSITION_H

#include <cstdint>
#include <utility>
#include <vector>

#include "core/numbering/numbering.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

// A path's number, and how often it was executed.
using CountedPath = std::pair<uint64_t, uint64_t>;

class FlowDecomposition {
public:
  // Keeps references.
  FlowDecomposition(const PathGraph &graph, const PathNumbering &numbering);

  // Whether sums over paths depend on the edges walked alone: not where a path begins with context, which is left out
  // of them.
  bool holds() const { return holds_; }
  // Paths are added by increasing number.
  void add(uint64_t id, uint64_t count);
  // To be called once, behind the last path.  An amount of more than 2^64 - 1 is carried by several entries.
  std::vector<CountedPath> paths();

private:
  using Amount = unsigned __int128;
  struct Step {
    int edge; // of the path graph; none at ENTRY
    int node;
    uint64_t val;   // the lowest number of the walks that begin like this
    Amount sum = 0; // of what was added to these
  };
  int edge_towards(int node, uint64_t rest) const;
  void pop();

  const PathGraph &graph_;
  const PathNumbering &numbering_;
  bool holds_;
  std::vector<std::vector<int>> ordered_succs_; // by node: edges by increasing val
  std::vector<Step> steps_;
  std::vector<Amount> on_edge_; // by edge of the path graph
};

} // namespace pathprof

#endif
