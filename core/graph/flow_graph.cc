// SPDX-License-Identifier: GPL-3.0-or-later
// Implements the control-flow graph.
#include "core/graph/flow_graph.h"

#include <algorithm>
#include <utility>

namespace pathprof {

FlowGraph::FlowGraph(int num_blocks) : succs_(std::max(num_blocks, 2)), preds_(std::max(num_blocks, 2)) {}

FlowGraph::FlowGraph(int num_blocks, std::vector<Edge> edges) : FlowGraph(num_blocks) {
  edges_ = std::move(edges);
  std::vector<size_t> num_succs(succs_.size()), num_preds(preds_.size());
  for (const Edge &edge : edges_) {
    num_succs[edge.src]++;
    num_preds[edge.dst]++;
  }
  for (size_t block = 0; block < succs_.size(); block++) {
    succs_[block].reserve(num_succs[block]);
    preds_[block].reserve(num_preds[block]);
  }
  for (int index = 0; index < num_edges(); index++) {
    succs_[edge(index).src].push_back(index);
    preds_[edge(index).dst].push_back(index);
  }
}

int FlowGraph::add_edge(int src, int dst, unsigned flags, double frequency) {
  int index = num_edges();
  edges_.push_back({src, dst, flags, frequency});
  succs_[src].push_back(index);
  preds_[dst].push_back(index);
  return index;
}

static bool any_with(const FlowGraph &graph, const std::vector<int> &edges, unsigned flags) {
  return std::any_of(edges.begin(), edges.end(), [&](int e) { return (graph.edge(e).flags & flags) != 0; });
}

bool FlowGraph::has_pred_with(int block, unsigned flags) const {
  return any_with(*this, preds_[block], flags);
}

bool FlowGraph::has_succ_with(int block, unsigned flags) const {
  return any_with(*this, succs_[block], flags);
}

double frequency_of(const FlowGraph &graph, const std::vector<int> &edges) {
  double sum = 0;
  for (int e : edges)
    sum += graph.edge(e).frequency;
  return sum;
}

std::vector<char> reachable_blocks(const FlowGraph &graph) {
  std::vector<char> seen(graph.num_blocks(), 0);
  std::vector<int> work{kEntryBlock};
  seen[kEntryBlock] = 1;
  while (!work.empty()) {
    int block = work.back();
    work.pop_back();
    for (int e : graph.succs(block)) {
      int dst = graph.edge(e).dst;
      if (!seen[dst]) {
        seen[dst] = 1;
        work.push_back(dst);
      }
    }
  }
  return seen;
}

std::vector<int> cut_preds(const FlowGraph &graph, int block, const std::vector<char> &reachable) {
  std::vector<int> cut;
  for (int e : graph.preds(block))
    if (graph.edge(e).is_cut() && reachable[graph.edge(e).src])
      cut.push_back(e);
  return cut;
}

std::vector<int> cut_succs(const FlowGraph &graph, int block) {
  std::vector<int> cut;
  for (int e : graph.succs(block))
    if (graph.edge(e).is_cut())
      cut.push_back(e);
  return cut;
}

} // namespace pathprof
