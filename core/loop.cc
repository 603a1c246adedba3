// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/loop.h"

#include <algorithm>
#include <map>
#include <tuple>

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

// The loop with this head, or one without blocks.
static Loop loop_at(const FlowGraph &graph, int head) {
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
  return loop;
}

static std::vector<char> membership(const FlowGraph &graph, const Loop &loop) {
  std::vector<char> inside(graph.num_blocks(), 0);
  for (int block : loop.blocks)
    inside[block] = 1;
  return inside;
}

static bool is_back_edge(const Loop &loop, int e) {
  return std::binary_search(loop.back_edges.begin(), loop.back_edges.end(), e);
}

// Whether control enters at the head only, and code can be placed on all edges.
static bool is_plain(const FlowGraph &graph, const Loop &loop) {
  if (loop.blocks.empty())
    return false;
  std::vector<char> inside = membership(graph, loop);
  for (int block : loop.blocks) {
    if (graph.has_succ_with(block, kAbnormal) || graph.has_pred_with(block, kAbnormal))
      return false;
    for (int e : graph.preds(block)) {
      bool from_outside = !inside[graph.edge(e).src];
      if (!is_back_edge(loop, e) && from_outside != (block == loop.head()))
        return false;
    }
  }
  return true;
}

// Inner loops have fewer blocks.
static void sort_inner_first(std::vector<Loop> &loops) {
  std::stable_sort(loops.begin(), loops.end(),
                   [](const Loop &a, const Loop &b) { return a.blocks.size() < b.blocks.size(); });
}

std::vector<Loop> natural_loops(const FlowGraph &graph) {
  std::vector<Loop> loops;
  std::vector<char> reachable = reachable_blocks(graph);
  for (int block = 0; block < graph.num_blocks(); block++)
    if (reachable[block] && graph.has_pred_with(block, kBack)) {
      Loop loop = loop_at(graph, block);
      if (is_plain(graph, loop))
        loops.push_back(std::move(loop));
    }
  sort_inner_first(loops);
  return loops;
}

bool is_entered_on_paths(const FlowGraph &graph, const Loop &loop) {
  const std::vector<int> &preds = graph.preds(loop.head());
  return std::any_of(preds.begin(), preds.end(), [&](int e) { return !graph.edge(e).is_cut(); });
}

// The share of iterations that are the first.
static double first_share(const FlowGraph &graph, const Loop &loop) {
  double entered = 0, all = 0;
  for (int e : graph.preds(loop.head())) {
    all += graph.edge(e).frequency;
    if (!is_back_edge(loop, e))
      entered += graph.edge(e).frequency;
  }
  return all > 0 ? entered / all : 1;
}

double trips(const FlowGraph &graph, const Loop &loop) {
  return 1 / std::max(first_share(graph, loop), 1e-9);
}

// Copies one loop of the graph so far.
static void copy_first_iteration(Peeled &peeled, const Loop &loop) {
  const FlowGraph &before = peeled.graph;
  std::vector<char> inside = membership(before, loop);
  std::vector<int> copy_of(before.num_blocks(), -1);
  Peeled::Copy copy;
  for (int block : loop.blocks) {
    copy_of[block] = static_cast<int>(peeled.block_of.size());
    copy.blocks.push_back(block);
    peeled.block_of.push_back(peeled.block_of[block]);
  }
  double share = first_share(before, loop);
  FlowGraph after(static_cast<int>(peeled.block_of.size()));
  for (const Edge &edge : before.edges()) {
    bool enters = edge.dst == loop.head() && !inside[edge.src];
    after.add_edge(edge.src, enters ? copy_of[edge.dst] : edge.dst, edge.flags,
                   edge.frequency * (inside[edge.src] ? 1 - share : 1));
  }
  for (int block : loop.blocks)
    for (int e : before.succs(block)) {
      const Edge &edge = before.edge(e);
      bool stays = inside[edge.dst] && !is_back_edge(loop, e);
      after.add_edge(copy_of[block], stays ? copy_of[edge.dst] : edge.dst, edge.flags, edge.frequency * share);
      copy.edges.push_back(e);
      peeled.edge_of.push_back(peeled.edge_of[e]);
    }
  peeled.graph = std::move(after);
  peeled.copies.push_back(std::move(copy));
}

Peeled peel(const FlowGraph &graph, const std::vector<Loop> &loops) {
  Peeled peeled;
  peeled.graph = graph;
  for (int block = 0; block < graph.num_blocks(); block++)
    peeled.block_of.push_back(block);
  for (int e = 0; e < graph.num_edges(); e++)
    peeled.edge_of.push_back(e);
  std::vector<char> is_head(graph.num_blocks(), 0);
  for (const Loop &loop : loops) {
    is_head[loop.head()] = 1;
    Loop now = loop_at(peeled.graph, loop.head());
    if (is_entered_on_paths(peeled.graph, now) && now.back_edges.size() == 1)
      copy_first_iteration(peeled, now);
  }
  for (int block = 0; block < peeled.graph.num_blocks(); block++)
    if (is_head[peeled.block_of[block]]) {
      Loop loop = loop_at(peeled.graph, block);
      if (!loop.blocks.empty() && !is_entered_on_paths(peeled.graph, loop))
        peeled.loops.push_back(std::move(loop));
    }
  sort_inner_first(peeled.loops);
  return peeled;
}

std::vector<int64_t> vals_after_peeling(const PathGraph &peeled_paths, const Peeled &peeled, const PathGraph &paths,
                                        const std::vector<int64_t> &vals) {
  // Real edges by the flow edge, surrogates by the block on their other side.
  std::map<std::tuple<PathEdgeKind, int>, int64_t> known;
  auto where = [](const PathEdge &edge, const std::vector<int> *edge_of, const std::vector<int> *block_of) {
    int at = edge.kind == PathEdgeKind::Real    ? edge.via.front()
             : edge.kind == PathEdgeKind::Start ? edge.dst
                                                : edge.src;
    const std::vector<int> *original = edge.kind == PathEdgeKind::Real ? edge_of : block_of;
    return std::make_tuple(edge.kind, original ? (*original)[static_cast<size_t>(at)] : at);
  };
  for (int e = 0; e < paths.num_edges(); e++)
    known[where(paths.edge(e), nullptr, nullptr)] = vals[static_cast<size_t>(e)];
  std::vector<int64_t> inherited;
  for (const PathEdge &edge : peeled_paths.edges())
    inherited.push_back(known.at(where(edge, &peeled.edge_of, &peeled.block_of)));
  return inherited;
}

} // namespace pathprof
