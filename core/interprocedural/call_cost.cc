// SPDX-License-Identifier: GPL-3.0-or-later
// Differentiates CallCounter::total by reverse accumulation: it processes the steps of the total in reverse order.
#include "core/interprocedural/call_cost.h"

#include <algorithm>

namespace pathprof {

static double bounded(double x) {
  return std::min(x, ApproximateLinear::kMany);
}

void CallCosts::Derivative::add(double a, double b) {
  by_a = bounded(by_a + a);
  by_b = bounded(by_b + b);
}

const std::vector<double> &CallCosts::update() {
  costs_.assign(supergraph_.sites.size(), 0);
  entries_.assign(supergraph_.procedures.size(), {});
  exits_.assign(supergraph_.procedures.size(), 0);
  if (supergraph_.is_piecewise)
    derive_exits();
  for (auto p = supergraph_.callees_first.rbegin(); p != supergraph_.callees_first.rend(); ++p)
    derive_procedure(*p);
  return costs_;
}

void CallCosts::derive_exits() {
  for (int procedure : supergraph_.callees_first) {
    double sum = counter_.psi(procedure).gentry.a;
    for (int site = supergraph_.first_site[procedure]; site < supergraph_.end_site(procedure); site++)
      if (counter_.kind(site) == CallKind::Traversed)
        sum = bounded(sum + counter_.psi_return(site).a * exits_[supergraph_.sites[site].callee]);
    exits_[procedure] = sum;
  }
}

void CallCosts::derive_procedure(int procedure) {
  const Outline &outline = supergraph_.procedures[procedure];
  procedure_ = procedure;
  if (counter_.begins_paths(procedure))
    entries_[procedure].add(1, 1);
  starts_ = entries_[procedure];
  if (supergraph_.is_piecewise)
    starts_ = {counter_.from_exit(procedure), 1};
  blocks_.assign(outline.num_blocks, {});
  started_.assign(outline.num_blocks, 0);
  started_[kExitBlock] = 1;
  blocks_[kEntryBlock] = entries_[procedure];
  for (auto node = outline.nodes.rbegin(); node != outline.nodes.rend(); ++node)
    derive_node(outline, *node);
}

void CallCosts::derive_node(const Outline &outline, const Outline::Node &node) {
  if (node.starts)
    start_at(node.block);
  Derivative now = blocks_[node.block];
  int first_site = supergraph_.first_site[procedure_];
  for (size_t i = node.first_call; i < node.end_call; i++)
    now = derive_call(first_site + outline.calls[i], now);
  bool unwinds =
      node.call_unwinds && counter_.kind(first_site + outline.calls[node.end_call - 1]) != CallKind::SteppedOver;
  for (size_t i = node.first_edge; i < node.end_edge; i++) {
    if (unwinds && i >= node.first_unwinding)
      start_at(outline.edges[i]);
    else
      blocks_[outline.edges[i]].add(now);
  }
}

// Returns the derivative at the position after a call.  `before` is the derivative at the position before the call.
CallCosts::Derivative CallCosts::derive_call(int site, const Derivative &before) {
  const SupergraphOutline::Site &call = supergraph_.sites[site];
  if (call.kind == CallKind::Traversed)
    costs_[site] = cost(site, before);
  if (counter_.kind(site) == CallKind::SteppedOver)
    return before;
  if (counter_.kind(site) == CallKind::Ended)
    return starts_;
  const ApproximateLinear &behind = counter_.psi_return(site), &callee = counter_.psi(call.callee).entry;
  entries_[call.callee].add(before.times(behind), before.by_b);
  Derivative after;
  after.add(before.by_a * callee.a, before.by_b * callee.a);
  if (supergraph_.is_piecewise)
    after.add(counter_.from_exit(procedure_) * exits_[call.callee], exits_[call.callee]);
  return after;
}

double CallCosts::cost(int site, const Derivative &before) const {
  int callee = supergraph_.sites[site].callee;
  const ApproximateLinear &behind = counter_.psi_return(site), &entry = counter_.psi(callee).entry;
  double whole = before.times(entry.after(behind));
  double cut = instead_ == CallKind::Ended ? before.by_b + starts_.times(behind) : before.times(behind);
  if (supergraph_.is_piecewise)
    whole += behind(counter_.from_exit(procedure_)) * exits_[callee];
  if (!counter_.begins_paths_without(site))
    cut += entry(1) + exits_[callee];
  return std::clamp(whole - cut, -ApproximateLinear::kMany, ApproximateLinear::kMany);
}

void CallCosts::start_at(int block) {
  if (!started_[block])
    blocks_[block].add(starts_);
  started_[block] = 1;
}

} // namespace pathprof
