// SPDX-License-Identifier: GPL-3.0-or-later
// Interprets plans.
#include "core/plan/plan.h"

namespace pathprof {

void Interpreter::count(int64_t path) {
  counts_[path]++;
  lengths_[path] += arrivals_ - started_;
}

void Interpreter::apply(const op::Set &op) {
  register_ = op.value;
  started_ = arrivals_;
}

void Interpreter::apply(const op::Add &op) {
  register_ = wrapped_sum(register_, op.delta);
}

void Interpreter::apply(const op::CountAt &op) {
  count(wrapped_sum(register_, op.offset));
}

void Interpreter::apply(const op::UncountAt &op) {
  counts_[wrapped_sum(register_, op.offset)]--;
}

void Interpreter::apply(const op::CountConst &op) {
  count(op.path);
}

void Interpreter::apply(const op::Repeat &op) {
  counts_[op.path] += op.times;
}

void Interpreter::apply(const op::Clear &op) {
  counters_of_loop_[op.path] = 0;
}

void Interpreter::apply(const op::Increment &op) {
  counters_of_loop_.at(op.path)++;
}

void Interpreter::apply(const op::Decrement &op) {
  counters_of_loop_.at(op.path)--;
}

void Interpreter::apply(const op::Flush &op) {
  counts_[op.path] += counters_of_loop_.at(op.path);
}

void Interpreter::apply(const op::Enter &op) {
  completed_ = 0;
  bodies_ = 0;
  numbers_.assign(plan_.windows.at(op.window).k, INT64_MIN / 2);
  numbers_.front() = register_;
}

void Interpreter::apply(const op::SaveHead &) {
  head_ = register_;
}

void Interpreter::apply(const op::SetBody &op) {
  body_ = op.value;
}

void Interpreter::apply(const op::AddBody &op) {
  body_ += op.delta;
}

void Interpreter::apply(const op::BackEdge &op) {
  take_back_edge(plan_.windows.at(op.window));
}

void Interpreter::apply(const op::CountAtExit &op) {
  sink_counts(plan_.windows.at(op.window));
}

void Interpreter::apply(const op::Accumulate &op) {
  accumulate(plan_.weights.at(op.weights));
}

void Interpreter::apply(const op::Leave &op) {
  accumulate(plan_.weights.at(op.weights));
  register_ = numbers_[completed_];
}

void Interpreter::apply(const op::Save &op) {
  saved_[op.head] = register_;
}

void Interpreter::apply(const op::Restore &op) {
  register_ = saved_.at(op.head);
  started_ = arrivals_;
}

// The windows that started at the loop header are in iterations 1 to `completed_`.  The window that entered the loop
// from outside is in the next iteration.
void Interpreter::accumulate(const WindowWeights &weights) {
  for (size_t i = 0; i < numbers_.size(); i++)
    numbers_[i] += i < completed_ ? weights.started[i] : weights.entered[i];
}

void Interpreter::sink_counts(const Window &window) {
  if (completed_ < window.k) {
    register_ += static_cast<int64_t>(completed_) * window.exits;
    return;
  }
  counts_[register_ + (window.k - 1) * window.exits + window.counted]++;
  if (completed_ > window.k)
    counts_[window.start + window.counted] += completed_ - window.k;
  register_ = window.start;
}

void Interpreter::take_back_edge(const Window &window) {
  if (window.counts_at_exit) {
    completed_++;
    return;
  }
  bool is_full = completed_ + 1 == window.k;
  if (window.has_numbers) {
    if (is_full)
      count(numbers_.back());
    numbers_.pop_back();
    numbers_.insert(numbers_.begin(), window.start);
    completed_ += !is_full;
    return;
  }
  int64_t head = window.keeps_head ? head_ : register_;
  int64_t different = 1; // number of sequences of k - 1 bodies
  for (uint32_t i = 1; i < window.k; i++)
    different *= window.num_bodies;
  int64_t body = window.num_bodies > 1 ? body_ : 0;
  bodies_ = (bodies_ * window.num_bodies + body) % different;
  if (is_full) {
    count(head + window.counted + body);
    register_ = window.start + bodies_ * window.num_paths_from_head;
  } else {
    register_ = head + window.exits + body * window.num_paths_after[completed_++];
  }
}

void Interpreter::perform(const Ops &ops) {
  for (const Op &op : ops)
    std::visit([this](const auto &operation) { apply(operation); }, op);
}

void Interpreter::perform(const SelectOps &selects, bool is_true) {
  for (const SelectOp &select : selects)
    std::visit([&](const auto &either) { apply(is_true ? either.if_true : either.if_false); }, select);
}

void Interpreter::traverse(int edge) {
  int src = graph_.edge(edge).src;
  perform(plan_.before_end[src]);
  perform(plan_.selects[src], edge == graph_.succs(src).front());
  perform(plan_.on_edge[edge]);
  perform(plan_.at_start[graph_.edge(edge).dst]);
  arrivals_++;
}

void Interpreter::end(int block) {
  perform(plan_.before_end[block]);
}

void interpret(const FlowGraph &graph, const Plan &plan, const std::vector<int> &trace, Counts &counts) {
  Interpreter interpreter(graph, plan, counts);
  for (int e : trace)
    interpreter.traverse(e);
  if (!trace.empty() && graph.succs(graph.edge(trace.back()).dst).empty())
    interpreter.end(graph.edge(trace.back()).dst);
}

} // namespace pathprof
