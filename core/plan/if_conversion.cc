// SPDX-License-Identifier: GPL-3.0-or-later
// Finds branches whose two arms join again, and replaces operations on the arms by select operations before the branch.
#include "core/plan/if_conversion.h"

#include <optional>
#include <type_traits>
#include <utility>

namespace pathprof {

// Returns true if operations on the edge can be moved to the position before the branch.  An abnormal edge cannot
// contain operations, and an exception edge does not depend on a condition that a select operation could use.
static bool operations_can_move_from(const Edge &edge) {
  return !(edge.flags & (kAbnormal | kEh));
}

// Returns the edges of one arm.  The arm has a second edge if its first edge leads to a block that belongs only to this
// arm.
static std::vector<int> arm(const FlowGraph &graph, int first) {
  int block = graph.edge(first).dst;
  if (block != kExitBlock && graph.preds(block).size() == 1 && graph.succs(block).size() == 1)
    return {first, graph.succs(block).front()};
  return {first};
}

static std::optional<IfConversion> if_conversion_at(const FlowGraph &graph, int head) {
  const std::vector<int> &succs = graph.succs(head);
  if (succs.size() != 2)
    return {};
  IfConversion if_conversion{head, arm(graph, succs[0]), arm(graph, succs[1])};
  auto end = [&](const std::vector<int> &edges) { return graph.edge(edges.back()).dst; };
  int join = end(if_conversion.if_true);
  if (join != end(if_conversion.if_false) || join == kExitBlock || join == head)
    return {};
  for (const std::vector<int> &edges : {if_conversion.if_true, if_conversion.if_false})
    for (int e : edges)
      if (!operations_can_move_from(graph.edge(e)))
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

// Appends an operation.  If it is an addition and the last operation sets or adds to the same register, the two are
// combined.
static void append(Ops &to, const Op &op) {
  if (auto *add = std::get_if<op::Add>(&op))
    append_folded<op::Set>(to, *add);
  else if (auto *add_body = std::get_if<op::AddBody>(&op))
    append_folded<op::SetBody>(to, *add_body);
  else
    to.push_back(op);
}

// If `of_body` is true, returns the operations on an arm that use the register for the current loop body.  Otherwise,
// returns all other operations on the arm.  The two groups do not depend on each other.
static Ops operations_on(const std::vector<int> &edges, const Plan &plan, bool of_body) {
  Ops ops;
  for (int e : edges)
    for (const Op &op : plan.on_edge[e])
      if (is_any_of<op::SetBody, op::AddBody>(op) == of_body)
        append(ops, op);
  return ops;
}

static void add_nothing_beside_addition(Ops &ops, const Ops &others) {
  if (!ops.empty() || others.size() != 1)
    return;
  if (std::holds_alternative<op::Add>(others.front()))
    ops = {op::Add{0}};
  else if (std::holds_alternative<op::AddBody>(others.front()))
    ops = {op::AddBody{0}};
}

// Combines two operations into a select operation.  Returns nothing if they have different types, or a type for which
// there is no select operation.
static std::optional<SelectOp> select_between(const Op &if_true, const Op &if_false) {
  return std::visit(
      [&](const auto &first) -> std::optional<SelectOp> {
        using Operation = std::decay_t<decltype(first)>;
        if constexpr (std::is_constructible_v<SelectOp, Either<Operation>>)
          if (auto *second = std::get_if<Operation>(&if_false))
            return Either<Operation>{first, *second};
        return std::nullopt;
      },
      if_true);
}

// Combines two sequences into select operations, and appends them to `selects`.  Returns false if the sequences do not
// match.
static bool pair_up(Ops if_true, Ops if_false, SelectOps &selects) {
  add_nothing_beside_addition(if_true, if_false);
  add_nothing_beside_addition(if_false, if_true);
  if (if_true.size() != if_false.size())
    return false;
  for (size_t i = 0; i < if_true.size(); i++) {
    std::optional<SelectOp> choice = select_between(if_true[i], if_false[i]);
    if (!choice)
      return false;
    selects.push_back(*choice);
  }
  return true;
}

int choose_before_branches(const FlowGraph &graph, const std::vector<IfConversion> &if_conversions, Plan &plan) {
  int changed = 0;
  for (const IfConversion &if_conversion : if_conversions) {
    if (has_operations_inside(graph, if_conversion.if_true, plan) ||
        has_operations_inside(graph, if_conversion.if_false, plan))
      continue;
    SelectOps selects;
    bool all = true;
    for (bool of_body : {false, true})
      all = all && pair_up(operations_on(if_conversion.if_true, plan, of_body),
                           operations_on(if_conversion.if_false, plan, of_body), selects);
    if (!all || selects.empty())
      continue;
    for (const std::vector<int> &edges : {if_conversion.if_true, if_conversion.if_false})
      for (int e : edges)
        plan.on_edge[e].clear();
    plan.selects[if_conversion.head] = std::move(selects);
    changed++;
  }
  return changed;
}

} // namespace pathprof
