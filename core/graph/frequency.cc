// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates edge frequencies from the loop nesting.
#include "core/graph/frequency.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace pathprof {

// Adds 1 to the depth of each block in the natural loop of the back edge `back`.  The loop contains the blocks that
// reach the source of `back` without passing through its destination.
static void deepen_loop(const FlowGraph &graph, const Edge &back, std::vector<int> &depth) {
  std::vector<char> in_loop(graph.num_blocks(), 0);
  std::vector<int> work;
  auto add = [&](int block) {
    if (in_loop[block])
      return;
    in_loop[block] = 1;
    depth[block]++;
    work.push_back(block);
  };
  in_loop[kEntryBlock] = 1;
  add(back.dst);
  work.clear();
  add(back.src);
  while (!work.empty()) {
    int block = work.back();
    work.pop_back();
    for (int e : graph.preds(block))
      if (!(graph.edge(e).flags & kAbnormal))
        add(graph.edge(e).src);
  }
}

// Returns the reachable blocks in a topological order of the graph without its cut edges.  The search starts from ENTRY
// and from each destination of a cut edge.
static std::vector<int> topological_order(const FlowGraph &graph) {
  std::vector<char> reachable = reachable_blocks(graph), seen(graph.num_blocks(), 0);
  std::vector<int> order;
  std::vector<std::pair<int, size_t>> stack;
  auto search_from = [&](int root) {
    if (seen[root])
      return;
    seen[root] = 1;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      auto &[block, next] = stack.back();
      if (next == graph.succs(block).size()) {
        order.push_back(block);
        stack.pop_back();
        continue;
      }
      const Edge &edge = graph.edge(graph.succs(block)[next++]);
      if (edge.is_cut() || seen[edge.dst])
        continue;
      seen[edge.dst] = 1;
      stack.push_back({edge.dst, 0});
    }
  };
  search_from(kEntryBlock);
  order.pop_back(); // ENTRY, which must precede the destinations of cut edges
  for (int block = 0; block < graph.num_blocks(); block++)
    if (!cut_preds(graph, block, reachable).empty())
      search_from(block);
  order.push_back(kEntryBlock);
  std::reverse(order.begin(), order.end());
  return order;
}

void estimate_frequencies(FlowGraph &graph) {
  static constexpr int kMaxDepth = 8;
  std::vector<int> depth(graph.num_blocks(), 0);
  for (const Edge &edge : graph.edges())
    if (edge.flags & kBack)
      deepen_loop(graph, edge, depth);

  std::vector<double> reach(graph.num_blocks(), 0);
  reach[kEntryBlock] = 1;
  for (int block : topological_order(graph)) {
    double share = reach[block] / static_cast<double>(std::max<size_t>(graph.succs(block).size(), 1));
    for (int e : graph.succs(block)) {
      Edge &edge = graph.edge(e);
      // For a loop header, `reach` includes only entries into the loop.  The nesting factor accounts for the
      // iterations.
      if (!edge.is_cut())
        reach[edge.dst] += share;
      int nesting = std::min({depth[block], depth[edge.dst], kMaxDepth});
      edge.frequency = std::max(share, 1e-9) * std::pow(10.0, nesting);
    }
    if (reach[block] == 0)
      reach[block] = 1e-6;
  }
}

} // namespace pathprof
