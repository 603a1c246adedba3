// SPDX-License-Identifier: GPL-3.0-or-later
// The interpreter of plans.
#include "core/plan.h"

namespace pathprof {

void Interpreter::count(int64_t path) {
  counts_[path]++;
  lengths_[path] += arrivals_ - started_;
}

void Interpreter::perform(const Ops &ops) {
  for (const Op &op : ops) {
    switch (op.kind) {
    case OpKind::Set:
      register_ = op.value;
      started_ = arrivals_;
      break;
    case OpKind::Add:
      register_ += op.value;
      break;
    case OpKind::CountAt:
      count(register_ + op.value);
      break;
    case OpKind::CountConst:
      count(op.value);
      break;
    case OpKind::Clear:
      tallies_[op.value] = 0;
      break;
    case OpKind::Tally:
      tallies_.at(op.value)++;
      break;
    case OpKind::Untally:
      tallies_.at(op.value)--;
      break;
    case OpKind::Flush:
      counts_[op.value] += tallies_.at(op.value);
      break;
    case OpKind::UncountAt:
      counts_[register_ + op.value]--;
      break;
    case OpKind::Save:
      saved_[op.value] = register_;
      break;
    case OpKind::Restore:
      register_ = saved_.at(op.value);
      started_ = arrivals_;
      break;
    }
  }
}

void Interpreter::perform(const Choices &choices, bool is_true) {
  for (const Choice &choice : choices)
    perform({{choice.kind, is_true ? choice.if_true : choice.if_false}});
}

void Interpreter::traverse(int edge) {
  int src = graph_.edge(edge).src;
  perform(plan_.before_end[src]);
  perform(plan_.choices[src], edge == graph_.succs(src).front());
  perform(plan_.on_edge[edge]);
  perform(plan_.at_start[graph_.edge(edge).dst]);
  arrivals_++;
}

void Interpreter::end(int block) { perform(plan_.before_end[block]); }

void interpret(const FlowGraph &graph, const Plan &plan, const std::vector<int> &trace,
               Counts &counts) {
  Interpreter interpreter(graph, plan, counts);
  for (int e : trace)
    interpreter.traverse(e);
  if (!trace.empty() && graph.succs(graph.edge(trace.back()).dst).empty())
    interpreter.end(graph.edge(trace.back()).dst);
}

} // namespace pathprof
