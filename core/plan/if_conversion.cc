// SPDX-License-Identifier: GPL-3.0-or-later
// Finding branches whose two arms meet again at once, and replacing the arms' operations by one before the branch.
#include "core/plan/if_conversion.h"

#include <optional>
#include <utility>

#include "core/numbering/wrap.h"

namespace pathprof {

// Whether operations can be moved from the edge to before the branch.  Code cannot be placed on abnormal edges at all,
// and an exception edge leaves a statement that may throw: there is no condition that a choice could depend on.
static bool is_plain(const Edge &edge) {
  return !(edge.flags & (kAbnormal | kEh));
}

// The edges of one arm of a branch: one, or two if the first leads to a block that only this arm passes.
static std::vector<int> way(const FlowGraph &graph, int first) {
  int block = graph.edge(first).dst;
  if (block != kExitBlock && graph.preds(block).size() == 1 && graph.succs(block).size() == 1)
    return {first, graph.succs(block).front()};
  return {first};
}

static std::optional<IfConversion> if_conversion_at(const FlowGraph &graph, int head) {
  const std::vector<int> &succs = graph.succs(head);
  if (succs.size() != 2)
    return {};
  IfConversion if_conversion{head, way(graph, succs[0]), way(graph, succs[1])};
  auto end = [&](const std::vector<int> &edges) { return graph.edge(edges.back()).dst; };
  int join = end(if_conversion.if_true);
  if (join != end(if_conversion.if_false) || join == kExitBlock || join == head)
    return {};
  for (const std::vector<int> &edges : {if_conversion.if_true, if_conversion.if_false})
    for (int e : edges)
      if (!is_plain(graph.edge(e)))
        return {};
  return if_conversion;
}

std::vector<IfConversion> find_if_conversions(const FlowGraph &graph) {
  std::vector<IfConversion> if_conversions;
  for (int block = 2; block < graph.num_blocks(); block++)
    if (std::optional<IfConversion> if_conversion = if_conversion_at(graph, block))
      if_conversions.push_back(std::move(*if_conversion));
  return if_conversions;
}

static bool has_operations_inside(const FlowGraph &graph, const std::vector<int> &edges, const Plan &plan) {
  int block = graph.edge(edges.front()).dst;
  return edges.size() > 1 && !(plan.at_start[block].empty() && plan.before_end[block].empty());
}

static bool is_addition(OpKind kind) {
  return kind == OpKind::Add || kind == OpKind::AddBody;
}

// Appends an operation; an addition to what the last operation sets or adds is folded into that one.
static void append_folded(Ops &to, const Op &op) {
  OpKind set = op.kind == OpKind::AddBody ? OpKind::SetBody : OpKind::Set;
  bool folds = is_addition(op.kind) && !to.empty() && (to.back().kind == set || to.back().kind == op.kind);
  if (folds)
    to.back().value = wrapped_sum(to.back().value, op.value);
  else
    to.push_back(op);
}

// Those on a way that work on the register of loop bodies, or the others.  The two do not depend on each other.
static Ops operations_on(const std::vector<int> &edges, const Plan &plan, bool of_body) {
  Ops ops;
  for (int e : edges)
    for (const Op &op : plan.on_edge[e])
      if ((op.kind == OpKind::SetBody || op.kind == OpKind::AddBody) == of_body)
        append_folded(ops, op);
  return ops;
}

static bool can_be_chosen(OpKind kind) {
  switch (kind) {
  case OpKind::Set:
  case OpKind::Add:
  case OpKind::Increment:
  case OpKind::CountAt:
  case OpKind::CountConst:
  case OpKind::SetBody:
  case OpKind::AddBody:
    return true;
  default:
    return false;
  }
}

static void add_nothing_beside_addition(Ops &ops, const Ops &others) {
  if (ops.empty() && others.size() == 1 && is_addition(others.front().kind))
    ops = {{others.front().kind, 0}};
}

// Appends the choices between two sequences; false if there are none.
static bool pair_up(Ops if_true, Ops if_false, Choices &choices) {
  add_nothing_beside_addition(if_true, if_false);
  add_nothing_beside_addition(if_false, if_true);
  if (if_true.size() != if_false.size())
    return false;
  for (size_t i = 0; i < if_true.size(); i++) {
    if (if_true[i].kind != if_false[i].kind || !can_be_chosen(if_true[i].kind))
      return false;
    choices.push_back({if_true[i].kind, if_true[i].value, if_false[i].value});
  }
  return true;
}

int choose_before_branches(const FlowGraph &graph, const std::vector<IfConversion> &if_conversions, Plan &plan) {
  int changed = 0;
  for (const IfConversion &if_conversion : if_conversions) {
    if (has_operations_inside(graph, if_conversion.if_true, plan) ||
        has_operations_inside(graph, if_conversion.if_false, plan))
      continue;
    Choices choices;
    bool all = true;
    for (bool of_body : {false, true})
      all = all && pair_up(operations_on(if_conversion.if_true, plan, of_body),
                           operations_on(if_conversion.if_false, plan, of_body), choices);
    if (!all || choices.empty())
      continue;
    for (const std::vector<int> &edges : {if_conversion.if_true, if_conversion.if_false})
      for (int e : edges)
        plan.on_edge[e].clear();
    plan.choices[if_conversion.head] = std::move(choices);
    changed++;
  }
  return changed;
}

} // namespace pathprof
