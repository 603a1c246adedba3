// SPDX-License-Identifier: GPL-3.0-or-later
// Collects executed paths and splits k-iteration paths.
#include "core/analysis/measured_paths.h"

#include <algorithm>
#include <numeric>

namespace pathprof {

std::vector<Path> split_at_back_edges(const Path &path, const FlowGraph &graph, size_t &num_context) {
  num_context = 0;
  std::vector<Path> pieces;
  Path piece;
  piece.start = path.start;
  piece.blocks = {path.blocks.front()};
  for (size_t i = 0; i < path.edges.size(); i++) {
    const Edge &edge = graph.edge(path.edges[i]);
    if (edge.is_cut()) {
      piece.end = PathEnd::BackEdge;
      pieces.push_back(std::move(piece));
      piece = {};
      piece.start = PathStart::Loop;
    } else {
      piece.edges.push_back(path.edges[i]);
    }
    piece.blocks.push_back(edge.dst);
    if (i < path.context_edges)
      num_context = pieces.size();
  }
  piece.end = path.end;
  piece.call = path.call;
  pieces.push_back(std::move(piece));
  return pieces;
}

MeasuredPaths::Key MeasuredPaths::key_of(const Path &path) {
  return {path.start, path.end, path.call, path.blocks.front(), path.context_edges, path.edges};
}

size_t MeasuredPaths::add(const Path &path, uint64_t count) {
  auto [at, is_new] = index_.emplace(key_of(path), paths_.size());
  if (is_new)
    paths_.push_back({path, 0});
  paths_[at->second].count += count;
  return at->second;
}

// Iterations in the path's context are added with count 0, because they were counted with other paths.
void MeasuredPaths::add_iterations(const Path &path, const FlowGraph &graph, uint64_t count) {
  size_t num_context, before = 0;
  std::vector<Path> pieces = split_at_back_edges(path, graph, num_context);
  for (size_t i = 0; i < pieces.size(); i++) {
    size_t index = add(pieces[i], i < num_context ? 0 : count);
    if (i > 0 && i >= num_context)
      add_sequence(before, index, count);
    before = index;
  }
}

std::vector<MeasuredPath> MeasuredPaths::take() {
  std::vector<size_t> order(paths_.size()), place(paths_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return paths_[a].count > paths_[b].count; });
  std::vector<MeasuredPath> sorted;
  for (size_t index : order) {
    place[index] = sorted.size();
    sorted.push_back(std::move(paths_[index]));
  }
  for (auto [pair, count] : after_)
    sorted[place[pair.first]].after.push_back({place[pair.second], count});
  index_.clear();
  paths_.clear();
  after_.clear();
  return sorted;
}

} // namespace pathprof
