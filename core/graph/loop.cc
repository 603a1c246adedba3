// SPDX-License-Identifier: GPL-3.0-or-later
// Finds natural loops by walking backwards from the back edges.
#include "core/graph/loop.h"

#include <algorithm>
#include <utility>

namespace pathprof {

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

namespace {

// Finds the loops of a graph one at a time.  Only the marks of visited blocks are reset, so the time for a small loop
// does not depend on the size of the graph.
class LoopFinder {
public:
  explicit LoopFinder(const FlowGraph &graph) : graph_(graph), seen_(graph.num_blocks(), 0), inside_(seen_) {}

  Loop at(int head) {
    Loop loop;
    for (int e : graph_.preds(head)) {
      if (!(graph_.edge(e).flags & kBack))
        continue;
      std::vector<int> blocks = natural_loop(graph_.edge(e));
      if (blocks.empty())
        continue;
      loop.back_edges.push_back(e);
      for (int block : blocks)
        if (!std::exchange(inside_[block], 1))
          loop.blocks.push_back(block);
    }
    for (int block : loop.blocks)
      inside_[block] = 0;
    loop.sort_members();
    return loop;
  }

private:
  // Returns the blocks of the natural loop of the back edge `back`, starting with the header.  The loop contains the
  // blocks that reach the back edge without passing through the header.  Returns no blocks if control can enter the
  // loop at a block other than the header.
  std::vector<int> natural_loop(const Edge &back) {
    std::vector<int> blocks;
    auto reach = [&](int block) {
      if (!std::exchange(seen_[block], 1))
        blocks.push_back(block);
    };
    reach(back.dst);
    reach(back.src);
    bool is_entered_elsewhere = false;
    for (size_t next = 1; next < blocks.size() && !is_entered_elsewhere; next++) {
      is_entered_elsewhere = blocks[next] == kEntryBlock;
      for (int e : graph_.preds(blocks[next]))
        reach(graph_.edge(e).src);
    }
    for (int block : blocks)
      seen_[block] = 0;
    return is_entered_elsewhere ? std::vector<int>() : blocks;
  }

  const FlowGraph &graph_;
  std::vector<char> seen_, inside_; // marks by block; all 0 between two searches
};

} // namespace

Loop loop_at(const FlowGraph &graph, int head) {
  return LoopFinder(graph).at(head);
}

// Returns true if control can enter the loop only at its header and code can be placed on all edges of the loop.
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

// Inner loops precede outer loops because they have fewer blocks.
void sort_inner_first(std::vector<Loop> &loops) {
  std::stable_sort(loops.begin(), loops.end(),
                   [](const Loop &a, const Loop &b) { return a.blocks.size() < b.blocks.size(); });
}

std::vector<Loop> natural_loops(const FlowGraph &graph) {
  std::vector<Loop> loops;
  std::vector<char> reachable = reachable_blocks(graph);
  LoopFinder finder(graph);
  for (int block = 0; block < graph.num_blocks(); block++)
    if (reachable[block] && graph.has_pred_with(block, kBack)) {
      Loop loop = finder.at(block);
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
