// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the cost of an edge profile, and predicts paths from it.
#include "core/analysis/edge_profile.h"

#include <algorithm>
#include <numeric>

#include "core/graph/disjoint_sets.h"

namespace pathprof {

unsigned __int128 edge_increments(const FlowGraph &graph, const std::vector<uint64_t> &traversals, uint64_t calls) {
  const int around = graph.num_edges(); // index of the additional edge EXIT→ENTRY
  auto weight = [&](int e) { return e == around ? calls : traversals[static_cast<size_t>(e)]; };
  std::vector<int> by_weight(static_cast<size_t>(around) + 1);
  std::iota(by_weight.begin(), by_weight.end(), 0);
  std::stable_sort(by_weight.begin(), by_weight.end(), [&](int a, int b) { return weight(a) > weight(b); });
  DisjointSets sets(graph.num_blocks());
  unsigned __int128 sum = 0;
  for (int e : by_weight) {
    bool in_tree = e == around ? sets.join(kExitBlock, kEntryBlock) : sets.join(graph.edge(e).src, graph.edge(e).dst);
    if (!in_tree)
      sum += weight(e);
  }
  return sum;
}

EdgePredictor::EdgePredictor(const FlowGraph &graph, const std::vector<uint64_t> &traversals)
    : graph_(graph), predicted_(static_cast<size_t>(graph.num_blocks()), -1) {
  auto is_better = [&](int e, int other) {
    uint64_t a = traversals[static_cast<size_t>(e)], b = traversals[static_cast<size_t>(other)];
    return a > b || (a == b && (graph.edge(other).flags & kTrue) && !(graph.edge(e).flags & kTrue));
  };
  for (int block = 0; block < graph.num_blocks(); block++)
    for (int e : graph.succs(block)) {
      int &best = predicted_[static_cast<size_t>(block)];
      if (best < 0 || is_better(e, best))
        best = e;
    }
}

EdgePredictor::Prediction EdgePredictor::follow(const Path &path) const {
  Prediction result;
  for (size_t i = path.context_edges; i < path.edges.size(); i++, result.edges++)
    if (predicted_[static_cast<size_t>(graph_.edge(path.edges[i]).src)] != path.edges[i])
      return result;
  bool over_cut_edge = path.end == PathEnd::BackEdge || path.end == PathEnd::Cut;
  int last = predicted_[static_cast<size_t>(path.blocks.back())];
  result.is_correct = !over_cut_edge || (last >= 0 && graph_.edge(last).is_cut());
  return result;
}

} // namespace pathprof
