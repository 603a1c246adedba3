// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select.h"

#include <optional>
#include <utility>

namespace pathprof {

// Nothing can be taken off an abnormal edge, and GCC's exceptional ones are no branch's.
static bool is_plain(const Edge &edge) { return !(edge.flags & (kAbnormal | kEh)); }

// The edges of a way: one, or two if the first leads to a block that is on no other way.
static std::vector<int> way(const FlowGraph &graph, int first) {
  int block = graph.edge(first).dst;
  if (block != kExitBlock && graph.preds(block).size() == 1 && graph.succs(block).size() == 1)
    return {first, graph.succs(block).front()};
  return {first};
}

static std::optional<Diamond> diamond_at(const FlowGraph &graph, int head) {
  const std::vector<int> &succs = graph.succs(head);
  if (succs.size() != 2)
    return {};
  Diamond diamond{head, way(graph, succs[0]), way(graph, succs[1])};
  auto end = [&](const std::vector<int> &edges) { return graph.edge(edges.back()).dst; };
  int join = end(diamond.if_true);
  if (join != end(diamond.if_false) || join == kExitBlock || join == head)
    return {};
  for (const std::vector<int> &edges : {diamond.if_true, diamond.if_false})
    for (int e : edges)
      if (!is_plain(graph.edge(e)))
        return {};
  return diamond;
}

std::vector<Diamond> find_diamonds(const FlowGraph &graph) {
  std::vector<Diamond> diamonds;
  for (int block = 2; block < graph.num_blocks(); block++)
    if (std::optional<Diamond> diamond = diamond_at(graph, block))
      diamonds.push_back(std::move(*diamond));
  return diamonds;
}

static bool has_operations_inside(const FlowGraph &graph, const std::vector<int> &edges, const Plan &plan) {
  int block = graph.edge(edges.front()).dst;
  return edges.size() > 1 && !(plan.at_start[block].empty() && plan.before_end[block].empty());
}

// An addition is part of what was before.
static void append_folded(Ops &to, const Op &op) {
  bool folds = op.kind == OpKind::Add && !to.empty() &&
               (to.back().kind == OpKind::Set || to.back().kind == OpKind::Add);
  if (folds)
    to.back().value += op.value;
  else
    to.push_back(op);
}

static Ops operations_on(const std::vector<int> &edges, const Plan &plan) {
  Ops ops;
  for (int e : edges)
    for (const Op &op : plan.on_edge[e])
      append_folded(ops, op);
  return ops;
}

static bool can_be_chosen(OpKind kind) {
  return kind == OpKind::Set || kind == OpKind::Add || kind == OpKind::Tally || kind == OpKind::CountAt ||
         kind == OpKind::CountConst;
}

// None if the two cannot be one sequence of choices.
static Choices pair_up(Ops if_true, Ops if_false) {
  if (if_true.empty() && if_false.size() == 1 && if_false.front().kind == OpKind::Add)
    if_true = {{OpKind::Add, 0}};
  if (if_false.empty() && if_true.size() == 1 && if_true.front().kind == OpKind::Add)
    if_false = {{OpKind::Add, 0}};
  if (if_true.size() != if_false.size())
    return {};
  Choices choices;
  for (size_t i = 0; i < if_true.size(); i++) {
    if (if_true[i].kind != if_false[i].kind || !can_be_chosen(if_true[i].kind))
      return {};
    choices.push_back({if_true[i].kind, if_true[i].value, if_false[i].value});
  }
  return choices;
}

int choose_before_branches(const FlowGraph &graph, const std::vector<Diamond> &diamonds, Plan &plan) {
  int changed = 0;
  for (const Diamond &diamond : diamonds) {
    if (has_operations_inside(graph, diamond.if_true, plan) ||
        has_operations_inside(graph, diamond.if_false, plan))
      continue;
    Choices choices = pair_up(operations_on(diamond.if_true, plan), operations_on(diamond.if_false, plan));
    if (choices.empty())
      continue;
    for (const std::vector<int> &edges : {diamond.if_true, diamond.if_false})
      for (int e : edges)
        plan.on_edge[e].clear();
    plan.choices[diamond.head] = std::move(choices);
    changed++;
  }
  return changed;
}

} // namespace pathprof
