// SPDX-License-Identifier: GPL-3.0-or-later
// The interpreter of plans.
#include "core/plan/plan.h"

#include <stdexcept>

#include "core/numbering/wrap.h"

namespace pathprof {

void Interpreter::count(int64_t path) {
  counts_[path]++;
  lengths_[path] += arrivals_ - started_;
}

void Interpreter::perform(const Op &op) {
  switch (op.kind) {
  case OpKind::Set:
    register_ = op.value;
    started_ = arrivals_;
    break;
  case OpKind::Add:
    register_ = wrapped_sum(register_, op.value);
    break;
  case OpKind::CountAt:
    count(wrapped_sum(register_, op.value));
    break;
  case OpKind::CountConst:
    count(op.value);
    break;
  case OpKind::Clear:
  case OpKind::Increment:
  case OpKind::Decrement:
  case OpKind::Flush:
    perform_on_register_counter(op);
    break;
  case OpKind::Repeat:
    counts_[plan_.repeats.at(op.value).path] += plan_.repeats.at(op.value).times;
    break;
  case OpKind::UncountAt:
    counts_[wrapped_sum(register_, op.value)]--;
    break;
  case OpKind::Enter:
  case OpKind::SaveHead:
  case OpKind::SetBody:
  case OpKind::AddBody:
  case OpKind::BackEdge:
  case OpKind::CountAtExit:
  case OpKind::Accumulate:
  case OpKind::Leave:
    perform_on_window(op);
    break;
  case OpKind::Save:
    saved_[op.value] = register_;
    break;
  case OpKind::Restore:
    register_ = saved_.at(op.value);
    started_ = arrivals_;
    break;
  case OpKind::Pass:
  case OpKind::Resume:
  case OpKind::Restart:
  case OpKind::Return:
    throw std::logic_error("paths across procedures are ProgramInterpreter's");
  }
}

void Interpreter::perform_on_register_counter(const Op &op) {
  switch (op.kind) {
  case OpKind::Clear:
    counters_of_loop_[op.value] = 0;
    break;
  case OpKind::Increment:
    counters_of_loop_.at(op.value)++;
    break;
  case OpKind::Decrement:
    counters_of_loop_.at(op.value)--;
    break;
  case OpKind::Flush:
    counts_[op.value] += counters_of_loop_.at(op.value);
    break;
  default:
    break;
  }
}

void Interpreter::perform_on_window(const Op &op) {
  switch (op.kind) {
  case OpKind::Enter:
    completed_ = 0;
    bodies_ = 0;
    numbers_.assign(plan_.windows.at(op.value).k, INT64_MIN / 2);
    numbers_.front() = register_;
    break;
  case OpKind::SaveHead:
    head_ = register_;
    break;
  case OpKind::SetBody:
    body_ = op.value;
    break;
  case OpKind::AddBody:
    body_ += op.value;
    break;
  case OpKind::BackEdge:
    take_back_edge(plan_.windows.at(op.value));
    break;
  case OpKind::CountAtExit:
    sink_counts(plan_.windows.at(op.value));
    break;
  case OpKind::Accumulate:
    accumulate(plan_.weights.at(op.value));
    break;
  case OpKind::Leave:
    accumulate(plan_.weights.at(op.value));
    register_ = numbers_[completed_];
    break;
  default:
    break;
  }
}

// The windows that started at the head are in iterations up to `completed_`, the one from outside is in the next.
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
  int64_t different = 1; // sequences of k - 1 bodies
  for (uint32_t i = 1; i < window.k; i++)
    different *= window.num_bodies;
  int64_t body = window.num_bodies > 1 ? body_ : 0;
  bodies_ = (bodies_ * window.num_bodies + body) % different;
  if (is_full) {
    count(head + window.counted + body);
    register_ = window.start + bodies_ * window.ways_from_head;
  } else {
    register_ = head + window.exits + body * window.ways[completed_++];
  }
}

void Interpreter::perform(const Ops &ops) {
  for (const Op &op : ops)
    perform(op);
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
