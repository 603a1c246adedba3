// SPDX-License-Identifier: GPL-3.0-or-later
// Finding natural loops by what reaches their back edges.
#include "core/graph/loop.h"

#include <algorithm>
#include <utility>

namespace pathprof {

// The blocks that reach the back edge without passing its head, which comes first; no blocks if control enters
// elsewhere.
static std::vector<int> natural_loop(const FlowGraph &graph, const Edge &back) {
  std::vector<int> blocks{back.dst};
  std::vector<char> seen(graph.num_blocks(), 0);
  seen[back.dst] = 1;
  if (!seen[back.src])
    blocks.push_back(back.src);
  seen[back.src] = 1;
  for (size_t next = 1; next < blocks.size(); next++) {
    if (blocks[next] == kEntryBlock)
      return {};
    for (int e : graph.preds(blocks[next])) {
      int src = graph.edge(e).src;
      if (!seen[src])
        blocks.push_back(src);
      seen[src] = 1;
    }
  }
  return blocks;
}

void Loop::sort_members() {
  members_ = blocks;
  std::sort(members_.begin(), members_.end());
}

bool Loop::contains(int block) const {
  return std::binary_search(members_.begin(), members_.end(), block);
}

bool Loop::is_back_edge(int edge) const {
  return std::binary_search(back_edges.begin(), back_edges.end(), edge);
}

Loop loop_at(const FlowGraph &graph, int head) {
  Loop loop;
  std::vector<char> inside(graph.num_blocks(), 0);
  for (int e : graph.preds(head)) {
    if (!(graph.edge(e).flags & kBack))
      continue;
    std::vector<int> blocks = natural_loop(graph, graph.edge(e));
    if (blocks.empty())
      continue;
    loop.back_edges.push_back(e);
    for (int block : blocks)
      if (!inside[block]) {
        inside[block] = 1;
        loop.blocks.push_back(block);
      }
  }
  loop.sort_members();
  return loop;
}

// Whether control enters at the head only, and code can be placed on all edges.
static bool is_instrumentable(const FlowGraph &graph, const Loop &loop) {
  if (loop.blocks.empty())
    return false;
  for (int block : loop.blocks) {
    if (graph.has_succ_with(block, kAbnormal) || graph.has_pred_with(block, kAbnormal))
      return false;
    for (int e : graph.preds(block)) {
      bool from_outside = !loop.contains(graph.edge(e).src);
      if (!loop.is_back_edge(e) && from_outside != (block == loop.head()))
        return false;
    }
  }
  return true;
}

// Inner loops have fewer blocks.
void sort_inner_first(std::vector<Loop> &loops) {
  std::stable_sort(loops.begin(), loops.end(),
                   [](const Loop &a, const Loop &b) { return a.blocks.size() < b.blocks.size(); });
}

std::vector<Loop> natural_loops(const FlowGraph &graph) {
  std::vector<Loop> loops;
  std::vector<char> reachable = reachable_blocks(graph);
  for (int block = 0; block < graph.num_blocks(); block++)
    if (reachable[block] && graph.has_pred_with(block, kBack)) {
      Loop loop = loop_at(graph, block);
      if (is_instrumentable(graph, loop))
        loops.push_back(std::move(loop));
    }
  sort_inner_first(loops);
  return loops;
}

bool is_entered_on_paths(const FlowGraph &graph, const Loop &loop) {
  const std::vector<int> &preds = graph.preds(loop.head());
  return std::any_of(preds.begin(), preds.end(), [&](int e) { return !graph.edge(e).is_cut(); });
}

double first_share(const FlowGraph &graph, const Loop &loop) {
  double entered = 0, all = 0;
  for (int e : graph.preds(loop.head())) {
    all += graph.edge(e).frequency;
    if (!loop.is_back_edge(e))
      entered += graph.edge(e).frequency;
  }
  return all > 0 ? entered / all : 1;
}

double trips(const FlowGraph &graph, const Loop &loop) {
  return 1 / std::max(first_share(graph, loop), 1e-9);
}

} // namespace pathprof
