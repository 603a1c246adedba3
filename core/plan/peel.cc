// SPDX-License-Identifier: GPL-3.0-or-later
// Copies the first iteration of loops, and transfers the vals of the edges to the copies.
#include "core/plan/peel.h"

#include <map>
#include <tuple>
#include <utility>

namespace pathprof {

// Peels one loop.  The graph can already contain copies of other loops.
static void copy_first_iteration(Peeled &peeled, const Loop &loop) {
  const FlowGraph &before = peeled.graph;
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
    bool enters = edge.dst == loop.head() && !loop.contains(edge.src);
    after.add_edge(edge.src, enters ? copy_of[edge.dst] : edge.dst, edge.flags,
                   edge.frequency * (loop.contains(edge.src) ? 1 - share : 1));
  }
  for (int block : loop.blocks)
    for (int e : before.succs(block)) {
      const Edge &edge = before.edge(e);
      bool stays = loop.contains(edge.dst) && !loop.is_back_edge(e);
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
  // Values of the edges of `paths`.  The key of a real edge contains its flow edge.  The key of a surrogate edge
  // contains the endpoint that is not ENTRY or EXIT.
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
