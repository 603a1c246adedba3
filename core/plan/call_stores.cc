// SPDX-License-Identifier: GPL-3.0-or-later
// Solves a forward data-flow problem over the operations of a plan.
#include "core/plan/call_stores.h"

#include <variant>

#include "core/numbering/wrap.h"

namespace pathprof {

namespace {

// State of the path register at a program point.
struct RegisterState {
  bool is_reached = false;
  std::optional<int64_t> known; // register value, if it is the same on all paths to this point
  bool is_in_memory = false;    // true if the value in memory equals the register on all paths

  bool operator==(const RegisterState &o) const {
    return is_reached == o.is_reached && known == o.known && is_in_memory == o.is_in_memory;
  }

  void join(const RegisterState &other) {
    if (!other.is_reached)
      return;
    if (!is_reached) {
      *this = other;
      return;
    }
    if (known != other.known)
      known.reset();
    is_in_memory = is_in_memory && other.is_in_memory;
  }

  void set(std::optional<int64_t> value) {
    known = value;
    is_in_memory = false;
  }

  void perform(const Op &operation) {
    if (const auto *set_to = std::get_if<op::Set>(&operation))
      set(set_to->value);
    else if (const auto *add = std::get_if<op::Add>(&operation))
      set(known ? std::optional(wrapped_sum(*known, add->delta)) : std::nullopt);
    else if (!leaves_register(operation))
      set(std::nullopt);
  }

  void perform(const Ops &operations) {
    for (const Op &operation : operations)
      perform(operation);
  }

  void perform(const SelectOps &selects, bool is_true) {
    for (const SelectOp &select : selects)
      std::visit([&](const auto &either) { perform(Op{is_true ? either.if_true : either.if_false}); }, select);
  }

private:
  static bool leaves_register(const Op &operation) {
    return is_any_of<op::CountAt, op::UncountAt, op::CountConst, op::Repeat, op::Clear, op::Increment, op::Decrement,
                     op::Flush, op::Save>(operation);
  }
};

class RegisterFlow {
public:
  RegisterFlow(const FlowGraph &graph, const Plan &plan, const std::vector<char> &calls)
      : graph_(graph), plan_(plan), calls_(calls), at_end_(static_cast<size_t>(graph.num_blocks())) {
    at_end_[kEntryBlock].is_reached = true;
    std::vector<int> work{kEntryBlock};
    while (!work.empty()) {
      int block = work.back();
      work.pop_back();
      for (int e : graph.succs(block))
        if (update(graph.edge(e).dst))
          work.push_back(graph.edge(e).dst);
    }
  }

  // Returns the state of the register at the calls in a block.
  RegisterState at_calls(int block) const {
    RegisterState state;
    for (int e : graph_.preds(block))
      state.join(behind(e));
    if (state.is_reached)
      state.perform(plan_.at_start[static_cast<size_t>(block)]);
    return state;
  }

private:
  RegisterState behind(int e) const {
    int src = graph_.edge(e).src;
    RegisterState state = at_end_[static_cast<size_t>(src)];
    if (!state.is_reached)
      return state;
    state.perform(plan_.selects[static_cast<size_t>(src)], e == graph_.succs(src).front());
    state.perform(plan_.on_edge[static_cast<size_t>(e)]);
    return state;
  }

  // Recomputes the register state at the end of a block.  Returns true if the state changed.
  bool update(int block) {
    RegisterState state = at_calls(block);
    if (calls_[static_cast<size_t>(block)] && !state.known)
      state.is_in_memory = true;
    state.perform(plan_.before_end[static_cast<size_t>(block)]);
    RegisterState &known_so_far = at_end_[static_cast<size_t>(block)];
    if (state == known_so_far)
      return false;
    known_so_far = state;
    return true;
  }

  const FlowGraph &graph_;
  const Plan &plan_;
  const std::vector<char> &calls_;
  std::vector<RegisterState> at_end_; // state after the operations at the end of each block
};

} // namespace

std::vector<CallStore> call_stores(const FlowGraph &graph, const Plan &plan, const std::vector<char> &calls) {
  RegisterFlow flow(graph, plan, calls);
  std::vector<CallStore> stores(static_cast<size_t>(graph.num_blocks()));
  for (int block = 0; block < graph.num_blocks(); block++) {
    if (!calls[static_cast<size_t>(block)])
      continue;
    RegisterState state = flow.at_calls(block);
    stores[static_cast<size_t>(block)] = {state.known, !state.known && !state.is_in_memory};
  }
  return stores;
}

} // namespace pathprof
