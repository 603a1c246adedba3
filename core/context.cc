// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/context.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "core/cut.h"
#include "core/loop.h"

namespace pathprof {

namespace {

// A loop that can have context.
struct ContextLoop {
  int head;
  std::vector<int> back_edges;
  double entered = 0; // frequencies: from outside on paths, and over back edges
  double repeated = 0;
};

bool by_head(const ContextLoop &a, const ContextLoop &b) {
  return a.head < b.head;
}

// Where only cut edges enter, the way to the loop is on no path.
std::vector<ContextLoop> find_loops(const FlowGraph &graph) {
  std::vector<char> reachable = reachable_blocks(graph);
  std::vector<ContextLoop> found;
  for (Loop &loop : natural_loops(graph)) {
    ContextLoop candidate{loop.head(), std::move(loop.back_edges)};
    bool on_paths = false;
    for (int e : graph.preds(candidate.head)) {
      const Edge &edge = graph.edge(e);
      if (edge.is_cut() || !reachable[edge.src])
        continue;
      on_paths = true;
      candidate.entered += edge.frequency;
    }
    for (int e : candidate.back_edges)
      candidate.repeated += graph.edge(e).frequency;
    if (on_paths)
      found.push_back(std::move(candidate));
  }
  std::sort(found.begin(), found.end(), by_head);
  return found;
}

// Transformations 1 and 2.  Edges are in the order of the acyclic graph, but what is at a gate comes with its head.
class Builder {
public:
  Builder(const FlowGraph &graph, const std::vector<ContextLoop> &loops)
      : graph_(graph), loops_(loops), reachable_(reachable_blocks(graph)), gate_of_(graph.num_blocks(), kNone),
        repeats_(graph.num_edges(), 0) {
    for (size_t i = 0; i < loops.size(); i++) {
      gate_of_[loops[i].head] = graph.num_blocks() + static_cast<int>(i);
      for (int e : loops[i].back_edges)
        repeats_[e] = 1;
    }
  }

  PathGraph build() const {
    std::vector<int> block_of(graph_.num_blocks());
    std::iota(block_of.begin(), block_of.end(), 0);
    block_of.resize(block_of.size() + loops_.size(), PathGraph::kNoBlock);
    PathGraph paths(graph_, std::move(block_of));
    for (int e = 0; e < graph_.num_edges(); e++) {
      const Edge &edge = graph_.edge(e);
      int gate = gate_of_[edge.dst];
      if (reachable_[edge.src] && !edge.is_cut())
        paths.add_edge({PathEdgeKind::Real, edge.src, gate == kNone ? edge.dst : gate, {e}, edge.frequency});
    }
    for (int block = 0; block < graph_.num_blocks(); block++)
      if (reachable_[block] && block != kExitBlock)
        add_starts_and_ends(paths, block);
    paths.sort_nodes();
    return paths;
  }

private:
  static constexpr int kNone = -1;

  void add_starts_and_ends(PathGraph &paths, int block) const {
    PathEdge start{PathEdgeKind::Start, kEntryBlock, block, {}, 0};
    PathEdge end{PathEdgeKind::End, block, kExitBlock, {}, 0};
    for (int e : graph_.preds(block)) {
      const Edge &edge = graph_.edge(e);
      if (edge.is_cut() && reachable_[edge.src] && !repeats_[e])
        add_to(start, e);
      if (graph_.succs(block).empty())
        end.frequency += edge.frequency;
    }
    for (int e : graph_.succs(block))
      if (graph_.edge(e).is_cut())
        add_to(end, e);
    if (!start.via.empty())
      paths.add_edge(std::move(start));
    if (gate_of_[block] != kNone)
      add_gate(paths, loops_[static_cast<size_t>(gate_of_[block] - graph_.num_blocks())], gate_of_[block]);
    if (!end.via.empty() || graph_.succs(block).empty())
      paths.add_edge(std::move(end));
  }

  void add_to(PathEdge &surrogate, int e) const {
    surrogate.via.push_back(e);
    surrogate.frequency += graph_.edge(e).frequency;
  }

  static void add_gate(PathGraph &paths, const ContextLoop &loop, int gate) {
    paths.add_edge({PathEdgeKind::Choice, gate, loop.head, {}, loop.entered});
    paths.add_edge({PathEdgeKind::Choice, gate, loop.head, loop.back_edges, loop.repeated, true});
  }

  const FlowGraph &graph_;
  const std::vector<ContextLoop> &loops_;
  std::vector<char> reachable_;
  std::vector<int> gate_of_;  // by block
  std::vector<char> repeats_; // by flow edge: a back edge that has a gate
};

// Of those found, the loops that are listed.
std::vector<ContextLoop> listed(std::vector<ContextLoop> found, const std::vector<LoopIterations> &list) {
  auto is_listed = [&](const ContextLoop &loop) {
    return std::any_of(list.begin(), list.end(), [&](const LoopIterations &one) { return one.head == loop.head; });
  };
  found.erase(std::remove_if(found.begin(), found.end(), [&](const ContextLoop &loop) { return !is_listed(loop); }),
              found.end());
  return found;
}

std::vector<LoopIterations> list_of(const std::vector<ContextLoop> &loops) {
  std::vector<LoopIterations> list;
  for (const ContextLoop &loop : loops)
    list.push_back({loop.head, 1});
  return list;
}

// Walks to each node, and from it.
struct WalkCounts {
  std::vector<mpz_class> to, from;

  explicit WalkCounts(const PathGraph &paths) : to(paths.num_nodes()), from(paths.num_nodes()) {
    const std::vector<int> &order = paths.reverse_topological();
    from[kExitBlock] = 1;
    for (int node : order)
      for (int e : paths.succs(node))
        from[node] += from[paths.edge(e).dst];
    to[kEntryBlock] = 1;
    for (auto node = order.rbegin(); node != order.rend(); ++node)
      for (int e : paths.succs(*node))
        to[paths.edge(e).dst] += to[*node];
  }
};

// Which of these loops gives the most paths for its context, per execution that has it.
size_t find_costliest(const FlowGraph &graph, const std::vector<ContextLoop> &loops, const WalkCounts &walks) {
  size_t costliest = 0;
  mpf_class highest = -1;
  for (size_t i = 0; i < loops.size(); i++) {
    // From the head there are so many ways on for each way to its gate; without context for all together, unless
    // paths start at the head anyway.
    mpz_class ways_in = walks.to[static_cast<size_t>(graph.num_blocks()) + i];
    bool starts_anyway = walks.to[loops[i].head] > 2 * ways_in;
    mpz_class paths = (ways_in - (starts_anyway ? 0 : 1)) * walks.from[loops[i].head];
    mpf_class each = mpf_class(paths) / (std::max(loops[i].repeated, 0.0) + 1e-9);
    if (each > highest) {
      highest = each;
      costliest = i;
    }
  }
  return costliest;
}

} // namespace

std::vector<LoopIterations> context_loops(const FlowGraph &graph) {
  return list_of(find_loops(graph));
}

PathGraph context_graph(const FlowGraph &graph, const std::vector<LoopIterations> &loops) {
  return Builder(graph, listed(find_loops(graph), loops)).build();
}

// What was taken away early can turn out to fit in the end.
std::vector<LoopIterations> loops_within(const FlowGraph &graph, std::vector<LoopIterations> list,
                                         const mpz_class &limit) {
  std::vector<ContextLoop> kept = listed(find_loops(graph), list), without;
  for (;;) {
    WalkCounts walks(Builder(graph, kept).build());
    if (walks.from[kEntryBlock] <= limit)
      break;
    if (kept.empty())
      return {};
    auto costliest = kept.begin() + static_cast<std::ptrdiff_t>(find_costliest(graph, kept, walks));
    without.push_back(std::move(*costliest));
    kept.erase(costliest);
  }
  std::stable_sort(without.begin(), without.end(),
                   [](const ContextLoop &a, const ContextLoop &b) { return a.repeated > b.repeated; });
  for (const ContextLoop &loop : without) {
    std::vector<ContextLoop> more = kept;
    more.insert(std::upper_bound(more.begin(), more.end(), loop, by_head), loop);
    if (count_paths(Builder(graph, more).build()) <= limit)
      kept = std::move(more);
  }
  return list_of(kept);
}

} // namespace pathprof
