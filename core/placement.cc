// SPDX-License-Identifier: GPL-3.0-or-later
// Spanning tree, chord increments and Figure 8.
#include "core/placement.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace pathprof {

namespace {

class DisjointSets {
public:
  explicit DisjointSets(int size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  // Joins the two sets; false if they were one already.
  bool join(int a, int b) {
    a = find(a);
    b = find(b);
    parent_[a] = b;
    return a != b;
  }

private:
  int find(int a) {
    while (parent_[a] != a)
      a = parent_[a] = parent_[parent_[a]];
    return a;
  }

  std::vector<int> parent_;
};

} // namespace

static bool is_critical(const FlowGraph &graph, const Edge &edge) {
  return graph.succs(edge.src).size() > 1 && graph.preds(edge.dst).size() > 1;
}

std::vector<TreePolicy> tree_policies(bool try_all) {
  if (!try_all)
    return {{}};
  return {{}, {0, 0, 3}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {1, 1, 3}};
}

std::vector<char> maximum_spanning_tree(const PathGraph &paths, const TreePolicy &policy,
                                        const std::vector<int> &late_starts) {
  std::vector<char> starts_late(paths.flow().num_blocks(), 0);
  for (int block : late_starts)
    starts_late[block] = 1;
  auto weight_of_real = [&](const PathEdge &edge) {
    bool critical = is_critical(paths.flow(), paths.flow().edge(edge.via.front()));
    return edge.frequency * (critical ? policy.critical : 1.0);
  };
  constexpr double nothing = -1;
  auto weight = [&](int e) {
    const PathEdge &edge = paths.edge(e);
    if (edge.kind == PathEdgeKind::Real)
      return weight_of_real(edge);
    if (edge.kind == PathEdgeKind::Start && starts_late[edge.dst])
      return std::numeric_limits<double>::infinity();
    bool is_only_start = edge.kind == PathEdgeKind::Start && paths.preds(edge.dst).size() == 1;
    if (is_only_start && policy.start > 0)
      return edge.frequency * policy.start;
    bool joins = edge.kind == PathEdgeKind::End && paths.succs(edge.src).size() == 1 &&
                 paths.preds(edge.src).size() > 1;
    return joins && policy.end > 0 ? edge.frequency * policy.end : nothing;
  };
  std::vector<int> by_weight(paths.num_edges());
  std::iota(by_weight.begin(), by_weight.end(), 0);
  std::stable_sort(by_weight.begin(), by_weight.end(),
                   [&](int a, int b) { return weight(a) > weight(b); });
  DisjointSets sets(paths.flow().num_blocks());
  sets.join(kEntryBlock, kExitBlock);
  std::vector<char> in_tree(paths.num_edges(), 0);
  for (int e : by_weight)
    in_tree[e] = sets.join(paths.edge(e).src, paths.edge(e).dst);
  return in_tree;
}

// Each block gets the potential that its tree path from ENTRY sums up to (against the direction of an
// edge: minus); a chord's increment is its value corrected by the potentials of its two ends.
Increments chord_increments(const PathGraph &paths, const std::vector<char> &in_tree,
                            const std::vector<int64_t> &vals) {
  int num_blocks = paths.flow().num_blocks();
  std::vector<int64_t> potential(num_blocks, 0);
  std::vector<char> seen(num_blocks, 0);
  std::vector<int> work{kEntryBlock, kExitBlock};
  seen[kEntryBlock] = seen[kExitBlock] = 1;
  auto reach = [&](int block, int64_t value) {
    if (seen[block])
      return;
    seen[block] = 1;
    potential[block] = value;
    work.push_back(block);
  };
  while (!work.empty()) {
    int block = work.back();
    work.pop_back();
    for (int e : paths.succs(block))
      if (in_tree[e])
        reach(paths.edge(e).dst, potential[block] + vals[e]);
    for (int e : paths.preds(block))
      if (in_tree[e])
        reach(paths.edge(e).src, potential[block] - vals[e]);
  }
  std::vector<int64_t> increments(paths.num_edges(), 0);
  for (int e = 0; e < paths.num_edges(); e++) {
    const PathEdge &edge = paths.edge(e);
    if (!in_tree[e])
      increments[e] = vals[e] + potential[edge.src] - potential[edge.dst];
  }
  return {std::move(increments), std::move(potential)};
}

namespace {

// Figure 8 on the path graph: what each path-graph edge does.
class Placer {
public:
  Placer(const PathGraph &paths, const std::vector<char> &in_tree, const PlacementOptions &options)
      : paths_(paths), in_tree_(in_tree), options_(options), init_(paths.num_edges(), 0),
        count_(paths.num_edges(), 0) {
    place_counts();
    place_inits();
  }

  Ops ops(int e, int64_t increment) const {
    if (init_[e] && count_[e] && options_.at_ends)
      return {{OpKind::Set, increment}, {OpKind::CountAt, 0}};
    if (init_[e] && count_[e])
      return {{OpKind::CountConst, increment}};
    if (init_[e])
      return {{OpKind::Set, increment}};
    if (count_[e])
      return {{OpKind::CountAt, increment}};
    if (increment != 0)
      return {{OpKind::Add, increment}};
    return {};
  }

private:
  bool is_barrier(int block) const {
    return (!options_.calls.empty() && options_.calls[block]) ||
           (!options_.barriers.empty() && options_.barriers[block]);
  }

  // Every walk meets exactly one counting edge, and no chord after it.
  void place_counts() {
    std::vector<int> work{kExitBlock};
    while (!work.empty()) {
      int block = work.back();
      work.pop_back();
      for (int e : paths_.preds(block)) {
        const PathEdge &edge = paths_.edge(e);
        bool moves_up = options_.hoist_counts && !options_.at_ends && in_tree_[e] && edge.src != kEntryBlock &&
                        paths_.succs(edge.src).size() == 1 && !is_barrier(edge.src);
        if (moves_up)
          work.push_back(edge.src);
        else
          count_[e] = 1;
      }
    }
  }

  void place_inits() {
    std::vector<int> work{kEntryBlock};
    while (!work.empty()) {
      int block = work.back();
      work.pop_back();
      for (int e : paths_.succs(block)) {
        int dst = paths_.edge(e).dst;
        if (!count_[e] && !options_.at_ends && in_tree_[e] && paths_.preds(dst).size() == 1 && !is_barrier(dst))
          work.push_back(dst);
        else
          init_[e] = 1;
      }
    }
  }

  const PathGraph &paths_;
  const std::vector<char> &in_tree_;
  const PlacementOptions &options_;
  std::vector<char> init_;
  std::vector<char> count_;
};

void append(Ops &to, const Ops &from) { to.insert(to.end(), from.begin(), from.end()); }

bool has_ordinary_succ(const FlowGraph &flow, int block) {
  const std::vector<int> &succs = flow.succs(block);
  return std::any_of(succs.begin(), succs.end(),
                     [&](int e) { return !(flow.edge(e).flags & kAbnormal); });
}

} // namespace

// On a cut edge the end of the old path comes before the start of the new one.
Plan place(const PathGraph &paths, const std::vector<char> &in_tree,
           const std::vector<int64_t> &increments, const PlacementOptions &options) {
  const FlowGraph &flow = paths.flow();
  Placer placer(paths, in_tree, options);
  Plan plan(flow);
  for (PathEdgeKind kind : {PathEdgeKind::Real, PathEdgeKind::End, PathEdgeKind::Start}) {
    for (int e = 0; e < paths.num_edges(); e++) {
      const PathEdge &edge = paths.edge(e);
      if (edge.kind != kind)
        continue;
      Ops ops = placer.ops(e, increments[e]);
      if (kind == PathEdgeKind::Start && flow.has_pred_with(edge.dst, kAbnormal)) {
        append(plan.at_start[edge.dst], ops);
        continue;
      }
      bool always_ends = kind == PathEdgeKind::End && paths.succs(edge.src).size() == 1;
      bool behind_call = !options.calls.empty() && has_ordinary_succ(flow, edge.src);
      if (always_ends &&
          (edge.via.empty() || (flow.has_succ_with(edge.src, kAbnormal) && !behind_call))) {
        append(plan.before_end[edge.src], ops);
        continue;
      }
      for (int f : edge.via)
        if (!(flow.edge(f).flags & kAbnormal))
          append(plan.on_edge[f], ops);
    }
  }
  return plan;
}

static double cost_of(const Ops &ops) {
  constexpr double in_register = 1, in_memory = 3;
  double cost = 0;
  for (const Op &op : ops)
    cost += op.kind == OpKind::CountAt || op.kind == OpKind::CountConst || op.kind == OpKind::Flush ||
                    op.kind == OpKind::UncountAt
                ? in_memory
                : in_register;
  return cost;
}

double cost_of(const Plan &plan, const FlowGraph &graph) {
  constexpr double jump = 1;
  double cost = 0;
  for (int e = 0; e < graph.num_edges(); e++) {
    const Edge &edge = graph.edge(e);
    const Ops &ops = plan.on_edge[e];
    if (!ops.empty())
      cost += edge.frequency * (cost_of(ops) + (is_critical(graph, edge) ? jump : 0));
    cost += edge.frequency * (cost_of(plan.before_end[edge.src]) + cost_of(plan.at_start[edge.dst]));
  }
  return cost;
}

} // namespace pathprof
