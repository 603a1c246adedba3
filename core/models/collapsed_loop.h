// SPDX-License-Identifier: GPL-3.0-or-later
// Collapses loops into single nodes, so that the enclosing loop becomes an innermost loop (Roy and Srikant, CGO 2009,
// section 5).
//
// A path that enters a collapsed loop is suspended until control leaves the loop, and continues with the exit edge.
// Meanwhile, the collapsed loop counts its own acyclic paths.  These paths start when control reaches the loop header,
// from outside or through a back edge, and end when control leaves the loop or takes a cut edge.
#ifndef PATHPROF_CORE_MODELS_COLLAPSED_LOOP_H
#define PATHPROF_CORE_MODELS_COLLAPSED_LOOP_H

#include <vector>

#include "core/graph/loop.h"

namespace pathprof {

struct CollapsedLoop {
  Loop loop;
  int around = 0; // header of the enclosing loop
  int node = 0;   // node that represents the loop
};

// A flow graph in which some loops are collapsed into single nodes.  Blocks and edges keep their numbers, and the new
// nodes are numbered after the blocks.  Edges that enter or leave a collapsed loop enter or leave its node instead.
// The blocks of the loop become unreachable.
struct CollapsedGraph {
  FlowGraph graph;
  std::vector<CollapsedLoop> loops;
  std::vector<int> loop_of; // index of the collapsed loop that contains each block, or -1

  explicit CollapsedGraph(const FlowGraph &original);

  // Collapses the outermost loops inside `outer`.  `all` contains all natural loops of the graph.
  void collapse_inside(const FlowGraph &original, const Loop &outer, const std::vector<Loop> &all);

  // Return the index of the collapsed loop that an edge of the original graph enters or leaves, or -1.
  int entered_by(const Edge &edge) const;
  int left_by(const Edge &edge) const;

private:
  void redirect_edges(const FlowGraph &original);
};

// Returns true if `inner` is nested in `outer` and is not the same loop.
bool is_inside(const Loop &inner, const Loop &outer);

} // namespace pathprof

#endif
