// SPDX-License-Identifier: GPL-3.0-or-later
// Finds loops whose paths span iterations, and collapses their inner loops.
#include "core/models/kiter_loops.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

namespace pathprof {

namespace {

// Returns, in increasing order, the blocks of the loop from which a path can leave the loop without taking a back edge.
std::vector<int> blocks_that_leave(const FlowGraph &graph, const IteratedLoop &iterated) {
  std::unordered_set<int> leaves;
  std::vector<int> work;
  auto reach = [&](int block) {
    if (leaves.insert(block).second)
      work.push_back(block);
  };
  for (int block : iterated.loop.blocks)
    for (int e : graph.succs(block))
      if (!iterated.loop.contains(graph.edge(e).dst))
        reach(block);
  while (!work.empty()) {
    int block = work.back();
    work.pop_back();
    for (int e : graph.preds(block))
      if (iterated.stays(graph.edge(e)) && !iterated.is_back(e))
        reach(graph.edge(e).src);
  }
  std::vector<int> sorted(leaves.begin(), leaves.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

IteratedLoop iterated(const FlowGraph &graph, Loop loop, uint32_t k) {
  IteratedLoop result;
  result.k = k;
  result.loop = std::move(loop);
  result.leaving = blocks_that_leave(graph, result);
  return result;
}

bool is_iterable(const FlowGraph &graph, const IteratedLoop &iterated) {
  for (int block : iterated.loop.blocks) {
    int back_edges = 0, cuts = 0;
    for (int e : graph.succs(block)) {
      back_edges += iterated.is_back(e);
      cuts += graph.edge(e).is_cut();
      if (!iterated.is_back(e) && graph.edge(e).is_cut() && iterated.stays(graph.edge(e)))
        return false;
    }
    if (back_edges > 0 && cuts > 1)
      return false;
  }
  return true;
}

bool has_head(const std::vector<Loop> &loops, int head) {
  return std::any_of(loops.begin(), loops.end(), [&](const Loop &loop) { return loop.head() == head; });
}

// Collapses the inner loops of `outer` if the paths of `outer` can then span iterations.  `all` contains all natural
// loops of the graph.  Returns true if the inner loops were collapsed.
bool try_to_collapse(const FlowGraph &graph, const Loop &outer, const std::vector<Loop> &all,
                     CollapsedGraph &collapsed) {
  CollapsedGraph result = collapsed;
  result.collapse_inside(graph, outer, all);
  bool is_possible =
      result.loops.size() > collapsed.loops.size() && has_head(iterable_loops(result.graph), outer.head());
  if (is_possible)
    collapsed = std::move(result);
  return is_possible;
}

} // namespace

std::vector<Loop> iterable_loops(const FlowGraph &graph) {
  std::vector<Loop> loops;
  for (Loop &loop : natural_loops(graph)) {
    IteratedLoop candidate = iterated(graph, std::move(loop), 1);
    if (is_iterable(graph, candidate))
      loops.push_back(std::move(candidate.loop));
  }
  return loops;
}

bool is_collapsible(const FlowGraph &graph, const Loop &loop) {
  CollapsedGraph collapsed(graph);
  return try_to_collapse(graph, loop, natural_loops(graph), collapsed);
}
IterationScheme iteration_scheme(const FlowGraph &graph, const PathModel &model) {
  std::map<int, uint32_t> k_of;
  for (const LoopIterations &loop : model.loops)
    if (loop.k > 1)
      k_of[loop.head] = loop.k;
  IterationScheme scheme{CollapsedGraph(graph), {}};
  std::vector<Loop> iterable = iterable_loops(graph);
  std::set<int> iterable_heads;
  for (const Loop &loop : iterable)
    iterable_heads.insert(loop.head());
  bool only_innermost = std::all_of(k_of.begin(), k_of.end(), [&](const std::pair<const int, uint32_t> &loop) {
    return iterable_heads.count(loop.first) != 0;
  });
  if (!only_innermost) {
    std::vector<Loop> all = natural_loops(graph);
    for (auto outer = all.rbegin(); outer != all.rend(); ++outer)
      if (k_of.count(outer->head()) && scheme.collapsed.loop_of[outer->head()] < 0)
        try_to_collapse(graph, *outer, all, scheme.collapsed);
    iterable = iterable_loops(scheme.collapsed.graph);
  }
  for (Loop &loop : iterable) {
    auto k = k_of.find(loop.head());
    if (k != k_of.end())
      scheme.loops.push_back(iterated(scheme.collapsed.graph, std::move(loop), k->second));
  }
  return scheme;
}

} // namespace pathprof
