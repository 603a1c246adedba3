// SPDX-License-Identifier: GPL-3.0-or-later
// The interpreter of plans.
#include "core/plan.h"

namespace pathprof {

static void perform(const Ops &ops, int64_t &path_register, Counts &counts) {
  for (const Op &op : ops) {
    switch (op.kind) {
    case OpKind::Set:
      path_register = op.value;
      break;
    case OpKind::Add:
      path_register += op.value;
      break;
    case OpKind::CountAt:
      counts[path_register + op.value]++;
      break;
    case OpKind::CountConst:
      counts[op.value]++;
      break;
    }
  }
}

void interpret(const FlowGraph &graph, const Plan &plan, const std::vector<int> &trace,
               Counts &counts) {
  // A value that no path has: a count without an initialised register cannot go unnoticed.
  int64_t path_register = INT64_MIN / 2;
  for (int e : trace) {
    const Edge &edge = graph.edge(e);
    perform(plan.before_end[edge.src], path_register, counts);
    perform(plan.on_edge[e], path_register, counts);
    perform(plan.at_start[edge.dst], path_register, counts);
  }
  if (!trace.empty() && graph.succs(graph.edge(trace.back()).dst).empty())
    perform(plan.before_end[graph.edge(trace.back()).dst], path_register, counts);
}

} // namespace pathprof
