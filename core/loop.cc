// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/loop.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pathprof {

// The blocks that reach the back edge without passing its head; no blocks if control enters elsewhere.
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

static std::vector<char> membership(const FlowGraph &graph, const Loop &loop) {
  std::vector<char> inside(graph.num_blocks(), 0);
  for (int block : loop.blocks)
    inside[block] = 1;
  return inside;
}

// Whether control enters at the head only, no edge to a block of the loop is cut but the back edge, and code can
// be placed on all edges.
static bool is_simple(const FlowGraph &graph, const Loop &loop) {
  if (loop.blocks.empty())
    return false;
  std::vector<char> inside = membership(graph, loop);
  for (int block : loop.blocks) {
    if (graph.has_succ_with(block, kAbnormal))
      return false;
    for (int e : graph.preds(block)) {
      bool from_outside = !inside[graph.edge(e).src];
      if (e == loop.back_edge)
        continue;
      if (from_outside ? block != loop.head() || (graph.edge(e).flags & kAbnormal) : graph.edge(e).is_cut())
        return false;
    }
  }
  return true;
}

std::vector<Loop> innermost_loops(const FlowGraph &graph) {
  std::vector<Loop> loops;
  std::vector<char> reachable = reachable_blocks(graph);
  for (int e = 0; e < graph.num_edges(); e++) {
    const Edge &edge = graph.edge(e);
    if (!(edge.flags & kBack) || !reachable[edge.src])
      continue;
    Loop loop{e, natural_loop(graph, edge)};
    if (is_simple(graph, loop))
      loops.push_back(std::move(loop));
  }
  return loops;
}

// The loop's blocks so that each comes after those that lead to it.
static std::vector<int> topological(const FlowGraph &graph, const Loop &loop) {
  std::vector<char> inside = membership(graph, loop);
  std::vector<int> missing(graph.num_blocks(), 0), order{loop.head()};
  for (int block : loop.blocks)
    if (block != loop.head())
      missing[block] = static_cast<int>(graph.preds(block).size());
  for (size_t next = 0; next < order.size(); next++)
    for (int e : graph.succs(order[next])) {
      int dst = graph.edge(e).dst;
      if (e != loop.back_edge && inside[dst] && --missing[dst] == 0)
        order.push_back(dst);
    }
  return order;
}

uint64_t num_body_paths(const FlowGraph &graph, const Loop &loop) {
  constexpr uint64_t many = uint64_t{1} << 32;
  std::vector<uint64_t> ways(graph.num_blocks(), 0);
  ways[loop.head()] = 1;
  for (int block : topological(graph, loop))
    for (int e : graph.succs(block))
      if (e != loop.back_edge) {
        uint64_t &to = ways[graph.edge(e).dst];
        to = std::min(many, to + ways[block]);
      }
  return ways[graph.edge(loop.back_edge).src];
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
    if (e != loop.back_edge)
      entered += graph.edge(e).frequency;
  }
  return all > 0 ? entered / all : 1;
}

double trips(const FlowGraph &graph, const Loop &loop) {
  return 1 / std::max(first_share(graph, loop), 1e-9);
}

namespace {

class Peeler {
public:
  Peeler(const FlowGraph &graph, const std::vector<Loop> &loops)
      : original_(graph), loop_of_(graph.num_blocks(), -1), copy_of_(graph.num_blocks(), -1),
        share_(graph.num_blocks(), 0) {
    result_.loops = loops;
    for (int block = 0; block < graph.num_blocks(); block++)
      result_.block_of.push_back(block);
    result_.entries.resize(loops.size());
    for (size_t index = 0; index < loops.size(); index++) {
      result_.is_peeled.push_back(is_entered_on_paths(graph, loops[index]));
      for (int block : loops[index].blocks) {
        loop_of_[block] = static_cast<int>(index);
        if (!result_.is_peeled[index])
          continue;
        copy_of_[block] = static_cast<int>(result_.block_of.size());
        share_[block] = first_share(graph, loops[index]);
        result_.block_of.push_back(block);
      }
    }
    result_.graph = FlowGraph(static_cast<int>(result_.block_of.size()));
  }

  Peeled run() {
    for (int e = 0; e < original_.num_edges(); e++)
      add_original(e);
    for (size_t index = 0; index < result_.loops.size(); index++)
      if (result_.is_peeled[index])
        for (int block : result_.loops[index].blocks)
          for (int e : original_.succs(block))
            add_copy(e, index);
    return std::move(result_);
  }

private:
  // An edge into a loop from outside leads to the first iteration.
  void add_original(int e) {
    const Edge &edge = original_.edge(e);
    bool enters = loop_of_[edge.dst] >= 0 && loop_of_[edge.dst] != loop_of_[edge.src];
    int copy = add(e, edge.src, enters ? first(edge.dst) : edge.dst, 1 - share_[edge.src]);
    if (enters)
      note_entry(copy);
  }

  // In the first iteration of a loop only the back edge leads out to the other iterations.
  void add_copy(int e, size_t index) {
    const Edge &edge = original_.edge(e);
    bool is_back = e == result_.loops[index].back_edge;
    int copy = add(e, copy_of_[edge.src], is_back ? edge.dst : first(edge.dst), share_[edge.src]);
    if (is_back || loop_of_[edge.dst] != static_cast<int>(index))
      note_entry(copy);
  }

  // The first iteration's block for a block.
  int first(int block) const { return copy_of_[block] < 0 ? block : copy_of_[block]; }

  // Notes an edge that leads from outside to a head, if it does.
  void note_entry(int e) {
    int dst = result_.graph.edge(e).dst;
    if (dst < original_.num_blocks() && loop_of_[dst] >= 0)
      result_.entries[static_cast<size_t>(loop_of_[dst])].push_back(e);
  }

  int add(int e, int src, int dst, double share) {
    const Edge &edge = original_.edge(e);
    result_.edge_of.push_back(e);
    return result_.graph.add_edge(src, dst, edge.flags, edge.frequency * share);
  }

  const FlowGraph &original_;
  std::vector<int> loop_of_; // -1: none that is peeled
  std::vector<int> copy_of_; // its block of the first iteration
  std::vector<double> share_;
  Peeled result_;
};

} // namespace

Peeled peel(const FlowGraph &graph, const std::vector<Loop> &loops) { return Peeler(graph, loops).run(); }

std::vector<int64_t> vals_after_peeling(const PathGraph &peeled_paths, const Peeled &peeled,
                                        const PathGraph &paths, const std::vector<int64_t> &vals) {
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
