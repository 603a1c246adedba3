// SPDX-License-Identifier: GPL-3.0-or-later
// Sums the counts of paths over the tree of their walks, and divides the resulting flow into paths.
#include "core/analysis/flow_decomposition.h"

#include <algorithm>

namespace pathprof {

FlowDecomposition::FlowDecomposition(const PathGraph &graph, const PathNumbering &numbering)
    : graph_(graph), numbering_(numbering),
      holds_(std::none_of(graph.edges().begin(), graph.edges().end(),
                          [](const PathEdge &edge) { return edge.ends_context; })),
      steps_{{-1, kEntryBlock, 0}}, on_edge_(static_cast<size_t>(graph.num_edges()), 0) {
  for (int node = 0; node < graph.num_nodes(); node++) {
    ordered_succs_.push_back(graph.succs(node));
    std::sort(ordered_succs_.back().begin(), ordered_succs_.back().end(),
              [&](int a, int b) { return numbering.val(a) < numbering.val(b); });
  }
}

// Returns the first edge of the walk from `node` to EXIT whose edge values add up to `rest`.
int FlowDecomposition::edge_towards(int node, uint64_t rest) const {
  const std::vector<int> &succs = ordered_succs_[static_cast<size_t>(node)];
  auto after = std::upper_bound(succs.begin(), succs.end(), static_cast<int64_t>(rest),
                                [&](int64_t value, int e) { return value < numbering_.val(e); });
  return *(after - 1);
}

// Removes the last step of the walk.  Adds the count of this step to the count of its edge and to the count of the
// preceding step.
void FlowDecomposition::pop() {
  Step last = steps_.back();
  steps_.pop_back();
  on_edge_[static_cast<size_t>(last.edge)] += last.sum;
  steps_.back().sum += last.sum;
}

void FlowDecomposition::add(uint64_t id, uint64_t count) {
  while (id - steps_.back().val >= numbering_.num_paths_from(steps_.back().node))
    pop();
  while (steps_.back().node != kExitBlock) {
    const Step &at = steps_.back();
    int edge = edge_towards(at.node, id - at.val);
    steps_.push_back({edge, graph_.edge(edge).dst, at.val + static_cast<uint64_t>(numbering_.val(edge))});
  }
  steps_.back().sum += count;
}

// Divides the flow into paths.  Each path reduces the remaining count of at least one edge to 0, unless the path's own
// count is capped at UINT64_MAX.
std::vector<CountedPath> FlowDecomposition::paths() {
  while (steps_.size() > 1)
    pop();
  std::vector<CountedPath> paths;
  std::vector<int> walk;
  for (;;) {
    walk.clear();
    uint64_t id = 0;
    Amount most = UINT64_MAX;
    for (int node = kEntryBlock; node != kExitBlock; node = graph_.edge(walk.back()).dst) {
      const std::vector<int> &succs = graph_.succs(node);
      auto edge = std::find_if(succs.begin(), succs.end(), [&](int e) { return on_edge_[static_cast<size_t>(e)] > 0; });
      if (edge == succs.end())
        return paths; // no flow remains at ENTRY
      walk.push_back(*edge);
      id += static_cast<uint64_t>(numbering_.val(*edge));
      most = std::min(most, on_edge_[static_cast<size_t>(*edge)]);
    }
    for (int edge : walk)
      on_edge_[static_cast<size_t>(edge)] -= most;
    paths.emplace_back(id, static_cast<uint64_t>(most));
  }
}

} // namespace pathprof
