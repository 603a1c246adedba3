// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the acyclic path graph and converts its walks into paths.
#include "core/numbering/path_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pathprof {

const char *to_string(PathStart start) {
  static const char *const names[] = {"entry", "loop", "cut", "handler"};
  return names[static_cast<int>(start)];
}

const char *to_string(PathEnd end) {
  static const char *const names[] = {"exit", "backedge", "cut", "noreturn", "call"};
  return names[static_cast<int>(end)];
}

PathGraph::PathGraph(const FlowGraph &flow, std::vector<int> block_of)
    : flow_(&flow), block_of_(std::move(block_of)), keeps_order_(block_of_.size(), 0), succs_(block_of_.size()),
      preds_(block_of_.size()) {}

static std::vector<int> all_blocks(const FlowGraph &flow) {
  std::vector<int> blocks(flow.num_blocks());
  std::iota(blocks.begin(), blocks.end(), 0);
  return blocks;
}

PathGraph::PathGraph(const FlowGraph &flow) : PathGraph(flow, [](int) { return true; }) {}

PathGraph::PathGraph(const FlowGraph &flow, const std::function<bool(int)> &may_end_at)
    : PathGraph(flow, all_blocks(flow)) {
  std::vector<char> reachable = reachable_blocks(flow);
  for (int e = 0; e < flow.num_edges(); e++) {
    const Edge &edge = flow.edge(e);
    if (reachable[edge.src] && !edge.is_cut())
      add_edge({PathEdgeKind::Real, edge.src, edge.dst, {e}, edge.frequency});
  }
  for (int block = 0; block < flow.num_blocks(); block++) {
    if (!reachable[block] || block == kExitBlock)
      continue;
    add_start(block, cut_preds(flow, block, reachable));
    if (may_end_at(block))
      add_ends_of(flow, block);
  }
  sort_nodes();
}

void PathGraph::add_edge(PathEdge edge) {
  int index = num_edges();
  succs_[edge.src].push_back(index);
  preds_[edge.dst].push_back(index);
  edges_.push_back(std::move(edge));
}

void PathGraph::add_surrogate(PathEdgeKind kind, int src, int dst, std::vector<int> via) {
  if (via.empty())
    return;
  double frequency = frequency_of(*flow_, via);
  add_edge({kind, src, dst, std::move(via), frequency, false});
}

void PathGraph::add_start(int node, std::vector<int> via) {
  add_surrogate(PathEdgeKind::Start, kEntryBlock, node, std::move(via));
}

void PathGraph::add_end(int node, std::vector<int> via) {
  add_surrogate(PathEdgeKind::End, node, kExitBlock, std::move(via));
}

void PathGraph::add_ends_of(const FlowGraph &graph, int block) {
  if (graph.succs(block).empty())
    add_edge({PathEdgeKind::End, block, kExitBlock, {}, frequency_of(graph, graph.preds(block)), false});
  else
    add_end(block, cut_succs(graph, block));
}

// Performs a depth-first search from ENTRY.  In the resulting postorder, each node follows its successors.
void PathGraph::sort_nodes() {
  std::vector<char> seen(num_nodes(), 0);
  std::vector<std::pair<int, size_t>> stack{{kEntryBlock, 0}};
  seen[kEntryBlock] = 1;
  while (!stack.empty()) {
    auto &[node, next] = stack.back();
    if (next == succs_[node].size()) {
      order_.push_back(node);
      stack.pop_back();
      continue;
    }
    int dst = edges_[succs_[node][next++]].dst;
    if (!seen[dst]) {
      seen[dst] = 1;
      stack.push_back({dst, 0});
    }
  }
}

bool PathGraph::is_acyclic() const {
  std::vector<int> position(num_nodes(), -1);
  for (size_t i = 0; i < order_.size(); i++)
    position[order_[i]] = static_cast<int>(i);
  for (int node : order_)
    for (int e : succs_[node])
      if (position[edges_[e].dst] >= position[node])
        return false;
  return true;
}

static bool any_has(const FlowGraph &flow, const std::vector<int> &edges, unsigned flags) {
  return std::any_of(edges.begin(), edges.end(), [&](int e) { return flow.edge(e).flags & flags; });
}

// If several cut edges share the surrogate edge, returns the most informative of their reasons.  PathStart::Loop is the
// most informative reason, followed by PathStart::Handler.
PathStart PathGraph::start_of(const PathEdge &edge) const {
  if (edge.kind != PathEdgeKind::Start)
    return PathStart::Entry;
  if (any_has(*flow_, edge.via, kBack))
    return PathStart::Loop;
  return any_has(*flow_, edge.via, kAbnormal) ? PathStart::Handler : PathStart::Cut;
}

PathEnd PathGraph::end_of(const PathEdge &edge) const {
  if (edge.kind != PathEdgeKind::End)
    return PathEnd::Exit;
  if (edge.via.empty())
    return PathEnd::NoReturn;
  return any_has(*flow_, edge.via, kBack) ? PathEnd::BackEdge : PathEnd::Cut;
}

Path PathGraph::make_path(const std::vector<int> &walk) const {
  Path path;
  if (walk.empty())
    return path;
  path.start = start_of(edges_[walk.front()]);
  path.end = end_of(edges_[walk.back()]);
  if (edges_[walk.front()].kind != PathEdgeKind::Start)
    path.blocks.push_back(kEntryBlock);
  for (int index : walk) {
    const PathEdge &edge = edges_[index];
    if (edge.kind == PathEdgeKind::Real)
      path.edges.push_back(edge.via.front());
    if (edge.ends_context) {
      path.context_blocks = path.blocks.size();
      path.context_edges = path.edges.size();
      path.contexts.push_back(path.context_blocks);
    }
    if (edge.kind == PathEdgeKind::End)
      continue;
    if (block_of_[edge.dst] >= 0)
      path.blocks.push_back(block_of_[edge.dst]);
    else if (block_of_[edge.dst] == kCollapsed)
      path.loop_visits.push_back({flow_->edge(path.edges.back()).dst, path.blocks.size(), path.edges.size()});
  }
  return path;
}

} // namespace pathprof
