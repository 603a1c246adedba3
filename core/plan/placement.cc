// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the spanning tree and the chord increments, and places the operations (Figure 8).
#include "core/plan/placement.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/graph/disjoint_sets.h"
#include "core/numbering/wrap.h"

namespace pathprof {

static bool is_critical(const FlowGraph &graph, const Edge &edge) {
  return graph.succs(edge.src).size() > 1 && graph.preds(edge.dst).size() > 1;
}

// Returns true if the set contains the block.  Blocks that the plan adds to the function are not in any set.
static bool is_in(const std::vector<char> &set, int block) {
  return static_cast<size_t>(block) < set.size() && set[block];
}

std::vector<TreePolicy> tree_policies(bool try_all) {
  if (!try_all)
    return {{}};
  return {{}, {0, 0, 3}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {1, 1, 3}};
}

std::vector<char> maximum_spanning_tree(const PathGraph &paths, const TreePolicy &policy,
                                        const std::vector<int> &late_starts, const std::vector<char> &early_ends) {
  std::vector<char> starts_late(paths.num_nodes(), 0);
  for (int block : late_starts)
    starts_late[block] = 1;
  auto weight_of_real = [&](const PathEdge &edge) {
    bool critical = is_critical(paths.flow(), paths.flow().edge(edge.via.front()));
    return edge.frequency * (critical ? policy.critical : 1.0);
  };
  constexpr double nothing = -1, everything = std::numeric_limits<double>::infinity();
  auto weight = [&](int e) {
    const PathEdge &edge = paths.edge(e);
    if (edge.kind == PathEdgeKind::Real)
      return weight_of_real(edge);
    // An increment on a Decision edge requires an addition on the edges that enter the loop.
    if (edge.kind == PathEdgeKind::Decision)
      return edge.ends_context ? nothing : edge.frequency;
    if (edge.kind == PathEdgeKind::Start && starts_late[edge.dst])
      return everything;
    bool is_only_start = edge.kind == PathEdgeKind::Start && paths.preds(edge.dst).size() == 1;
    if (is_only_start && policy.start > 0)
      return edge.frequency * policy.start;
    bool is_only_end = edge.kind == PathEdgeKind::End && paths.succs(edge.src).size() == 1;
    if (is_only_end && is_in(early_ends, paths.block_of(edge.src)))
      return everything;
    bool joins = is_only_end && paths.preds(edge.src).size() > 1;
    return joins && policy.end > 0 ? edge.frequency * policy.end : nothing;
  };
  std::vector<int> by_weight(paths.num_edges());
  std::iota(by_weight.begin(), by_weight.end(), 0);
  std::stable_sort(by_weight.begin(), by_weight.end(), [&](int a, int b) { return weight(a) > weight(b); });
  DisjointSets sets(paths.num_nodes());
  sets.join(kEntryBlock, kExitBlock);
  std::vector<char> in_tree(paths.num_edges(), 0);
  for (int e : by_weight)
    in_tree[e] = sets.join(paths.edge(e).src, paths.edge(e).dst);
  return in_tree;
}

// The potential of a node is the sum of the edge values on the tree path from ENTRY to the node; values of edges that
// this path traverses backwards are subtracted.  The increment of a chord is its value plus the potential of its source
// minus the potential of its destination.
template <typename Val>
IncrementsOf<Val> chord_increments(const PathGraph &paths, const std::vector<char> &in_tree,
                                   const std::vector<Val> &vals) {
  std::vector<Val> potential(paths.num_nodes(), 0);
  std::vector<char> seen(paths.num_nodes(), 0);
  std::vector<int> work{kEntryBlock, kExitBlock};
  seen[kEntryBlock] = seen[kExitBlock] = 1;
  auto reach = [&](int node, Val value) {
    if (seen[node])
      return;
    seen[node] = 1;
    potential[node] = value;
    work.push_back(node);
  };
  while (!work.empty()) {
    int node = work.back();
    work.pop_back();
    for (int e : paths.succs(node))
      if (in_tree[e])
        reach(paths.edge(e).dst, wrapped_sum(potential[node], vals[e]));
    for (int e : paths.preds(node))
      if (in_tree[e])
        reach(paths.edge(e).src, wrapped_difference(potential[node], vals[e]));
  }
  std::vector<Val> increments(paths.num_edges(), 0);
  for (int e = 0; e < paths.num_edges(); e++) {
    const PathEdge &edge = paths.edge(e);
    if (!in_tree[e])
      increments[e] = wrapped_difference(wrapped_sum(vals[e], potential[edge.src]), potential[edge.dst]);
  }
  return {std::move(increments), std::move(potential)};
}

template Increments chord_increments(const PathGraph &, const std::vector<char> &, const std::vector<int64_t> &);
template IncrementsOf<WideNumber> chord_increments(const PathGraph &, const std::vector<char> &,
                                                   const std::vector<WideNumber> &);

namespace {

// Applies the algorithm in Figure 8 to the path graph, and selects the operations of each path-graph edge.
class Placer {
public:
  Placer(const PathGraph &paths, const std::vector<char> &in_tree, const PlacementOptions &options)
      : paths_(paths), in_tree_(in_tree), options_(options), init_(paths.num_edges(), 0), count_(paths.num_edges(), 0) {
    place_counts();
    place_inits();
  }

  Ops ops(int e, int64_t increment) const {
    if (init_[e] && count_[e] && options_.at_ends)
      return {op::Set{increment}, op::CountAt{0}};
    if (init_[e] && count_[e])
      return {op::CountConst{increment}};
    if (init_[e])
      return {op::Set{increment}};
    if (count_[e])
      return {op::CountAt{increment}};
    if (increment != 0)
      return {op::Add{increment}};
    return {};
  }

  // Returns true if paths are counted on this edge.
  bool counts(int e) const { return count_[e]; }

private:
  // Returns true if the register must be valid at the node, because code reads it there or control can return to the
  // node.
  bool needs_register(int node) const {
    int block = paths_.block_of(node);
    return block == PathGraph::kNoBlock || is_in(options_.calls, block) || is_in(options_.barriers, block);
  }

  bool lets_counts_up(int node) const { return options_.hoist_counts || is_in(options_.copied, paths_.block_of(node)); }

  // Marks the edges on which a counter is incremented.  Every walk contains exactly one such edge, and no chord follows
  // it.
  void place_counts() {
    std::vector<int> work{kExitBlock};
    while (!work.empty()) {
      int node = work.back();
      work.pop_back();
      for (int e : paths_.preds(node)) {
        const PathEdge &edge = paths_.edge(e);
        bool moves_up = lets_counts_up(edge.src) && !options_.at_ends && in_tree_[e] && edge.src != kEntryBlock &&
                        paths_.succs(edge.src).size() == 1 && !needs_register(edge.src);
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
      int node = work.back();
      work.pop_back();
      for (int e : paths_.succs(node)) {
        int dst = paths_.edge(e).dst;
        if (!count_[e] && !options_.at_ends && in_tree_[e] && paths_.preds(dst).size() == 1 && !needs_register(dst))
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

void append(Ops &to, const Ops &from) {
  to.insert(to.end(), from.begin(), from.end());
}

bool has_ordinary_succ(const FlowGraph &flow, int block) {
  const std::vector<int> &succs = flow.succs(block);
  return std::any_of(succs.begin(), succs.end(), [&](int e) { return !(flow.edge(e).flags & kAbnormal); });
}

// Places operations at the loop-entry nodes of loops with context (core/models/intracontext.h).  The register value for
// the start of later iterations is saved, so a back edge only has to restore it.
class LoopEntries {
public:
  LoopEntries(const PathGraph &paths, const Placer &placer, const std::vector<int64_t> &increments)
      : paths_(paths), placer_(placer), increments_(increments), entry_of_(paths.num_nodes(), kNone) {
    for (int node : paths.reverse_topological())
      if (paths.block_of(node) == PathGraph::kNoBlock)
        entry_of_[paths.edge(repetition(node)).dst] = node;
  }

  // Appends the operations at a loop-entry node for the first iteration.
  void append_entrance(Ops &to, int entry_node) const {
    int64_t later = increments_[repetition(entry_node)], first = increments_[other(entry_node)];
    if (later != 0)
      append_folded<op::Set>(to, op::Add{later});
    to.push_back(op::Save{paths_.edge(other(entry_node)).dst});
    append(to, placer_.ops(other(entry_node), first - later));
  }

  // Appends the operations at a loop header where paths start.  The paths of later iterations also start at the header.
  void append_start(Ops &to, int head, int start, int64_t increment) const {
    if (entry_of_[head] == kNone)
      return append(to, placer_.ops(start, increment));
    to.push_back(op::Set{increment});
    to.push_back(op::Save{head});
    if (placer_.counts(start))
      to.push_back(op::CountAt{0});
  }

  void append_repetition(Ops &to, int repetition) const {
    to.push_back(op::Restore{paths_.edge(repetition).dst});
    append(to, placer_.ops(repetition, 0));
  }

private:
  static constexpr int kNone = -1;

  int repetition(int entry_node) const {
    const std::vector<int> &succs = paths_.succs(entry_node);
    return paths_.edge(succs.front()).ends_context ? succs.front() : succs.back();
  }
  int other(int entry_node) const {
    const std::vector<int> &succs = paths_.succs(entry_node);
    return paths_.edge(succs.front()).ends_context ? succs.back() : succs.front();
  }

  const PathGraph &paths_;
  const Placer &placer_;
  const std::vector<int64_t> &increments_;
  std::vector<int> entry_of_; // loop-entry node of each header
};

} // namespace

// On a cut edge, the operations that end the previous path precede the operations that start the next path.
Plan place(const PathGraph &paths, const std::vector<char> &in_tree, const std::vector<int64_t> &increments,
           const PlacementOptions &options) {
  const FlowGraph &flow = paths.flow();
  Placer placer(paths, in_tree, options);
  LoopEntries loop_entries(paths, placer, increments);
  Plan plan(flow);
  for (PathEdgeKind kind : {PathEdgeKind::Real, PathEdgeKind::End, PathEdgeKind::Start, PathEdgeKind::Decision}) {
    for (int e = 0; e < paths.num_edges(); e++) {
      const PathEdge &edge = paths.edge(e);
      if (edge.kind != kind)
        continue;
      Ops ops;
      if (kind == PathEdgeKind::Start)
        loop_entries.append_start(ops, edge.dst, e, increments[e]);
      else if (kind == PathEdgeKind::Decision && edge.ends_context)
        loop_entries.append_repetition(ops, e);
      else if (kind != PathEdgeKind::Decision)
        ops = placer.ops(e, increments[e]);
      if (kind == PathEdgeKind::Real && paths.block_of(edge.dst) == PathGraph::kNoBlock)
        loop_entries.append_entrance(ops, edge.dst);
      if (kind == PathEdgeKind::Start && flow.has_pred_with(paths.block_of(edge.dst), kAbnormal)) {
        append(plan.at_start[paths.block_of(edge.dst)], ops);
        continue;
      }
      int from = paths.block_of(edge.src);
      bool always_ends = kind == PathEdgeKind::End && paths.succs(edge.src).size() == 1;
      bool behind_call = !options.calls.empty() && from != PathGraph::kNoBlock && has_ordinary_succ(flow, from);
      if (always_ends && (edge.via.empty() || (flow.has_succ_with(from, kAbnormal) && !behind_call))) {
        append(plan.before_end[from], ops);
        continue;
      }
      for (int f : edge.via) {
        if (flow.edge(f).flags & kAbnormal)
          continue;
        append(plan.on_edge[f], ops);
        if (kind == PathEdgeKind::Start)
          plan.starts[f] = ops;
      }
    }
  }
  return plan;
}

static double cost_of(const Ops &ops) {
  constexpr double in_register = 1, in_memory = 3;
  double cost = 0;
  for (const Op &op : ops)
    cost += is_any_of<op::CountAt, op::CountConst, op::Flush, op::UncountAt, op::Repeat>(op) ? in_memory : in_register;
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
