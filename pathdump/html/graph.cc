// SPDX-License-Identifier: GPL-3.0-or-later
// Selects and collapses the parts of a control-flow graph that are drawn.
#include "pathdump/html/graph.h"

#include "core/numbering/saturate.h"

#include <algorithm>

namespace pathprof::html {

namespace {

// Maximum number of nodes in a drawing of the whole graph (kMostOfWhole) and in a drawing of a part of the graph
// (kMostNodes).
constexpr size_t kMostOfWhole = 60, kMostNodes = 400;
// Maximum sum of the numbers of layers that the edges span. The layout time depends on this sum.
constexpr size_t kMostSpan = 1600;

class Drawer {
public:
  // Unless `extent` is Extent::Whole, an edge with count 0 is drawn as an edge to a stub.
  Drawer(const Function &function, const std::vector<uint64_t> &counts, const std::vector<char> &wanted, Extent extent)
      : graph_(function.notes.graph), counts_(counts), wanted_(wanted), extent_(extent) {
    drawn_.node_of.assign(static_cast<size_t>(graph_.num_blocks()), -1);
    drawn_.edge_of.assign(static_cast<size_t>(graph_.num_edges()), -1);
    for (int block = 0; block < graph_.num_blocks(); block++)
      if (block != kExitBlock && wanted_[static_cast<size_t>(block)] && !joining_edge_into(block))
        add_chain(block);
    if (wanted_[kExitBlock])
      add_chain(kExitBlock);
    stub_of_.assign(drawn_.nodes.size(), -1);
    for (int e = 0; e < graph_.num_edges(); e++)
      add_edge(e);
  }

  DrawnGraph result() { return std::move(drawn_); }

private:
  const Edge &edge(int e) const { return graph_.edge(e); }

  bool joins(int e) const {
    return edge(e).src != kEntryBlock && edge(e).dst != kExitBlock && !edge(e).is_cut() &&
           graph_.succs(edge(e).src).size() == 1 && graph_.preds(edge(e).dst).size() == 1 &&
           wanted_[static_cast<size_t>(edge(e).src)] && wanted_[static_cast<size_t>(edge(e).dst)];
  }

  bool joining_edge_into(int block) const { return graph_.preds(block).size() == 1 && joins(graph_.preds(block)[0]); }

  void add_chain(int block) {
    auto node = static_cast<int>(drawn_.nodes.size());
    drawn_.nodes.push_back({});
    drawn_.nodes.back().count = count_of(block);
    for (;;) {
      drawn_.nodes.back().blocks.push_back(block);
      drawn_.node_of[static_cast<size_t>(block)] = node;
      const std::vector<int> &succs = graph_.succs(block);
      if (succs.size() != 1 || !joins(succs[0]))
        return;
      block = edge(succs[0]).dst;
    }
  }

  uint64_t count_of(int block) const {
    uint64_t sum = 0;
    for (int e : block == kEntryBlock ? graph_.succs(block) : graph_.preds(block))
      if (__builtin_add_overflow(sum, counts_[static_cast<size_t>(e)], &sum))
        return UINT64_MAX;
    return sum;
  }

  void add_edge(int e) {
    int from = drawn_.node_of[static_cast<size_t>(edge(e).src)], to = drawn_.node_of[static_cast<size_t>(edge(e).dst)];
    if (from < 0 || (to >= 0 && joins(e)))
      return;
    if (to >= 0 && (extent_ == Extent::Whole || counts_[static_cast<size_t>(e)])) {
      drawn_.edge_of[static_cast<size_t>(e)] = static_cast<int>(drawn_.edges.size());
      drawn_.edges.push_back(
          {static_cast<size_t>(from), static_cast<size_t>(to), counts_[static_cast<size_t>(e)], edge(e).flags, e});
      return;
    }
    int &stub = stub_of_[static_cast<size_t>(from)];
    if (stub < 0) {
      stub = static_cast<int>(drawn_.edges.size());
      drawn_.edges.push_back({static_cast<size_t>(from), drawn_.nodes.size(), 0, 0});
      drawn_.nodes.push_back({{}, 0, from});
    }
    add_to_stub(drawn_.edges[static_cast<size_t>(stub)], e);
  }

  void add_to_stub(DrawnEdge &to_stub, int e) {
    DrawnNode &stub = drawn_.nodes[to_stub.to];
    stub.blocks.push_back(edge(e).dst);
    saturating_add(to_stub.count, counts_[static_cast<size_t>(e)]);
    stub.count = to_stub.count;
    to_stub.flags |= edge(e).flags;
    drawn_.edge_of[static_cast<size_t>(e)] = static_cast<int>(&to_stub - drawn_.edges.data());
  }

  const FlowGraph &graph_;
  const std::vector<uint64_t> &counts_;
  const std::vector<char> &wanted_;
  Extent extent_;
  DrawnGraph drawn_;
  std::vector<int> stub_of_; // index of the edge to the node's stub, or -1
};

// Adds the executed blocks to `wanted`.
std::vector<char> executed_blocks(const FlowGraph &graph, const std::vector<uint64_t> &counts,
                                  std::vector<char> wanted) {
  for (int e = 0; e < graph.num_edges(); e++)
    if (counts[static_cast<size_t>(e)])
      wanted[static_cast<size_t>(graph.edge(e).src)] = wanted[static_cast<size_t>(graph.edge(e).dst)] = 1;
  return wanted;
}

// Returns the total number of layers (ranks) that the edges span. The rank of a node is the length of the longest path
// to the node along edges that are not truncation points. These edges form no cycle.
size_t span_of(const DrawnGraph &graph) {
  std::vector<size_t> ranks(graph.nodes.size(), 0), waits_for(graph.nodes.size(), 0), ready;
  std::vector<std::vector<size_t>> succs(graph.nodes.size());
  for (const DrawnEdge &edge : graph.edges)
    if (!(edge.flags & kCutMask) || graph.nodes[edge.to].is_stub()) {
      succs[edge.from].push_back(edge.to);
      waits_for[edge.to]++;
    }
  for (size_t node = 0; node < graph.nodes.size(); node++)
    if (waits_for[node] == 0)
      ready.push_back(node);
  while (!ready.empty()) {
    size_t node = ready.back();
    ready.pop_back();
    for (size_t to : succs[node]) {
      ranks[to] = std::max(ranks[to], ranks[node] + 1);
      if (--waits_for[to] == 0)
        ready.push_back(to);
    }
  }
  size_t span = 0;
  for (const DrawnEdge &edge : graph.edges)
    span += std::max(ranks[edge.from], ranks[edge.to]) - std::min(ranks[edge.from], ranks[edge.to]);
  return span;
}

} // namespace

const char *to_string(Extent extent) {
  static const char *const names[] = {"whole", "executed", "paths", "none"};
  return names[static_cast<int>(extent)];
}

static DrawnGraph no_graph(const Function &function) {
  DrawnGraph none;
  none.node_of.assign(static_cast<size_t>(function.notes.graph.num_blocks()), -1);
  none.edge_of.assign(static_cast<size_t>(function.notes.graph.num_edges()), -1);
  return none;
}

std::vector<DrawnGraph> draw_graph(const Function &function, const std::vector<uint64_t> &counts,
                                   const std::vector<char> &on_paths) {
  const FlowGraph &graph = function.notes.graph;
  std::vector<char> reachable = reachable_blocks(graph), executed = executed_blocks(graph, counts, on_paths);
  auto attempt = [&](Extent extent, const std::vector<char> &wanted) {
    DrawnGraph drawn = Drawer(function, counts, wanted, extent).result();
    drawn.extent = extent;
    return drawn;
  };
  auto is_too_large = [](const DrawnGraph &drawn, size_t most) {
    return drawn.nodes.size() > most || span_of(drawn) > kMostSpan;
  };
  std::vector<DrawnGraph> drawings;
  DrawnGraph whole = attempt(Extent::Whole, reachable), folded = attempt(Extent::Executed, executed);
  bool has_whole = !is_too_large(whole, kMostOfWhole);
  bool has_stubs =
      std::any_of(folded.nodes.begin(), folded.nodes.end(), [](const DrawnNode &n) { return n.is_stub(); });
  if (!has_whole || has_stubs) {
    if (is_too_large(folded, kMostNodes))
      folded = attempt(Extent::OnPaths, on_paths);
    drawings.push_back(is_too_large(folded, kMostNodes) ? no_graph(function) : std::move(folded));
  }
  if (has_whole)
    drawings.push_back(std::move(whole));
  for (DrawnGraph &drawn : drawings)
    drawn.num_blocks = static_cast<size_t>(std::count(reachable.begin(), reachable.end(), 1));
  return drawings;
}

} // namespace pathprof::html
