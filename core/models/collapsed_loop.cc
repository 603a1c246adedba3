// SPDX-License-Identifier: GPL-3.0-or-later
// Collapses inner loops of a flow graph into single nodes.
#include "core/models/collapsed_loop.h"

#include <algorithm>

namespace pathprof {

// Both loops are natural loops, so `outer` contains all blocks of `inner` if it contains the header of `inner`.
bool is_inside(const Loop &inner, const Loop &outer) {
  return inner.head() != outer.head() && outer.contains(inner.head()) && !inner.contains(outer.head());
}

CollapsedGraph::CollapsedGraph(const FlowGraph &original) : graph(original), loop_of(original.num_blocks(), -1) {}

// Inner loops precede outer loops in `all`, so the reverse order visits the outermost loops first.
void CollapsedGraph::collapse_inside(const FlowGraph &original, const Loop &outer, const std::vector<Loop> &all) {
  for (auto inner = all.rbegin(); inner != all.rend(); ++inner) {
    bool is_free =
        std::all_of(inner->blocks.begin(), inner->blocks.end(), [&](int block) { return loop_of[block] < 0; });
    if (!is_free || !is_inside(*inner, outer))
      continue;
    auto index = static_cast<int>(loops.size());
    for (int block : inner->blocks)
      loop_of[block] = index;
    loops.push_back({*inner, outer.head(), original.num_blocks() + index});
  }
  redirect_edges(original);
}

int CollapsedGraph::entered_by(const Edge &edge) const {
  return loop_of[edge.dst] == loop_of[edge.src] ? -1 : loop_of[edge.dst];
}

int CollapsedGraph::left_by(const Edge &edge) const {
  return loop_of[edge.dst] == loop_of[edge.src] ? -1 : loop_of[edge.src];
}

// An edge that leaves a collapsed loop from an unreachable block becomes a self-loop.  Otherwise, the loop's node would
// become a predecessor of the edge's destination.
void CollapsedGraph::redirect_edges(const FlowGraph &original) {
  std::vector<char> reachable = reachable_blocks(original);
  graph = FlowGraph(original.num_blocks() + static_cast<int>(loops.size()));
  for (const Edge &edge : original.edges()) {
    int left = left_by(edge), entered = entered_by(edge);
    int src = left < 0 || !reachable[edge.src] ? edge.src : loops[left].node;
    int dst = left >= 0 && !reachable[edge.src] ? edge.src : entered < 0 ? edge.dst : loops[entered].node;
    graph.add_edge(src, dst, edge.flags, edge.frequency);
  }
}

} // namespace pathprof
