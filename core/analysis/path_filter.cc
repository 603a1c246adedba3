// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the paths that avoid given blocks and edges, by dynamic programming over the path graph.
#include "core/analysis/path_filter.h"

#include <algorithm>
#include <utility>

namespace pathprof {

PathFilter::PathFilter(const FlowGraph &flow, std::vector<char> blocks, std::vector<char> edges)
    : flow_(flow), blocks_(std::move(blocks)), edges_(std::move(edges)) {}

bool PathFilter::is_empty() const {
  auto is_zero = [](char excluded) { return !excluded; };
  return std::all_of(blocks_.begin(), blocks_.end(), is_zero) && std::all_of(edges_.begin(), edges_.end(), is_zero);
}

// Returns true if there are cut edges among `edges` and all of them are excluded.
bool PathFilter::excludes_all_cuts(const std::vector<int> &edges) const {
  bool has_cut = false;
  for (int e : edges)
    if (flow_.edge(e).is_cut()) {
      if (!edges_[static_cast<size_t>(e)])
        return false;
      has_cut = true;
    }
  return has_cut;
}

bool PathFilter::excludes(const Path &path) const {
  if (std::any_of(path.blocks.begin(), path.blocks.end(),
                  [this](int block) { return blocks_[static_cast<size_t>(block)] != 0; }) ||
      std::any_of(path.edges.begin(), path.edges.end(),
                  [this](int edge) { return edges_[static_cast<size_t>(edge)] != 0; }))
    return true;
  bool starts_in_loop_visit = !path.loop_visits.empty() && path.loop_visits.front().blocks == 0;
  bool starts_at_cut = path.start != PathStart::Entry && !starts_in_loop_visit;
  bool ends_at_cut = (path.end == PathEnd::BackEdge || path.end == PathEnd::Cut) && !path.ends_in_loop_visit();
  return (starts_at_cut && excludes_all_cuts(flow_.preds(path.blocks.front()))) ||
         (ends_at_cut && excludes_all_cuts(flow_.succs(path.blocks.back())));
}

bool PathFilter::excludes_node(const PathGraph &paths, int node) const {
  int block = paths.block_of(node);
  return block >= 0 && blocks_[static_cast<size_t>(block)];
}

bool PathFilter::excludes_edge(const PathGraph &paths, const PathEdge &edge) const {
  switch (edge.kind) {
  case PathEdgeKind::Real:
    return std::any_of(edge.via.begin(), edge.via.end(), [this](int e) { return edges_[static_cast<size_t>(e)] != 0; });
  case PathEdgeKind::Start:
    return paths.block_of(edge.dst) >= 0 && excludes_all_cuts(flow_.preds(paths.block_of(edge.dst)));
  case PathEdgeKind::End:
    return paths.block_of(edge.src) >= 0 && excludes_all_cuts(flow_.succs(paths.block_of(edge.src)));
  case PathEdgeKind::Decision:
    break;
  }
  return false;
}

uint64_t PathFilter::num_paths(const PathGraph &paths) const {
  std::vector<uint64_t> count(static_cast<size_t>(paths.num_nodes()));
  for (int node : paths.reverse_topological()) {
    if (excludes_node(paths, node))
      continue;
    uint64_t &sum = count[static_cast<size_t>(node)];
    sum = node == kExitBlock;
    for (int e : paths.succs(node))
      if (!excludes_edge(paths, paths.edge(e)))
        sum += count[static_cast<size_t>(paths.edge(e).dst)];
  }
  return count[kEntryBlock];
}

} // namespace pathprof
