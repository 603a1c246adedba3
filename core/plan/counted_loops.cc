// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the effect of all iterations of a counted loop on the register and the counters.
#include "core/plan/counted_loops.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/numbering/wrap.h"

namespace pathprof {

namespace {

// Combined effect of a sequence of operations for an unknown initial value of the register.
class Effect {
public:
  // Appends an operation to the sequence.  Returns false if its effect cannot be represented.
  bool perform(const Op &op) {
    return std::visit([this](const auto &operation) { return apply(operation); }, op);
  }

  // Returns operations that have the same effect as repeating the sequence `times` times.  Returns nothing if the
  // sequence does not set the register or a count overflows.
  std::optional<Ops> repeated(uint64_t times) const {
    if (!set_)
      return std::nullopt;
    Effect all;
    for (auto [path, each] : counts_) {
      uint64_t product;
      if (__builtin_mul_overflow(each, times, &product) || !all.count(path, product))
        return std::nullopt;
    }
    Ops ops;
    if (counted_) {
      ops.push_back(op::CountAt{*counted_});
      if (!all.count(wrapped_sum(*set_, *counted_), times - 1))
        return std::nullopt;
    }
    for (auto [path, number] : all.counts_)
      if (number > 0)
        ops.push_back(op::Repeat{path, number});
    ops.push_back(op::Set{*set_});
    return ops;
  }

private:
  bool apply(const op::Set &op) {
    set_ = op.value;
    return true;
  }
  bool apply(const op::Add &op) {
    int64_t &sum = set_ ? *set_ : added_;
    sum = wrapped_sum(sum, op.delta);
    return true;
  }
  bool apply(const op::CountAt &op) {
    if (set_)
      return count(wrapped_sum(*set_, op.offset), 1);
    if (counted_)
      return false;
    counted_ = wrapped_sum(added_, op.offset);
    return true;
  }
  bool apply(const op::CountConst &op) { return count(op.path, 1); }
  bool apply(const op::Repeat &op) { return count(op.path, op.times); }
  template <typename Other>
  bool apply(const Other &) {
    return false;
  }

  bool count(int64_t path, uint64_t times) {
    uint64_t &sum = counts_[path];
    return !__builtin_add_overflow(sum, times, &sum);
  }

  std::optional<int64_t> counted_; // offset of the one count[r + offset] before the register is set
  std::map<int64_t, uint64_t> counts_;
  int64_t added_ = 0;
  std::optional<int64_t> set_;
};

// Moves the counts of one loop to its exit.
class CountSinker {
public:
  // For each block in a loop that is already counted at its exit, `inner` contains the header of the loop.  For all
  // other blocks, it contains -1.
  CountSinker(const FlowGraph &graph, const Loop &loop, const std::vector<int> &inner, Plan &plan)
      : graph_(graph), loop_(loop), inner_(inner), plan_(plan) {}

  bool run(uint64_t trip_count) {
    if (loop_.back_edges.size() != 1 || !find_path_around() || exit_ < 0)
      return false;
    Effect effect;
    Ops before_exit; // operations of the last iteration
    for (size_t i = 0; i < around_.size(); i++)
      for (const Op &op : plan_.on_edge[around_[i]]) {
        if (!effect.perform(op))
          return false;
        if (i < edges_before_exit_)
          before_exit.push_back(op);
      }
    std::optional<Ops> ops = effect.repeated(trip_count);
    if (!ops)
      return false;
    for (int e : around_)
      plan_.on_edge[e].clear();
    ops->insert(ops->end(), before_exit.begin(), before_exit.end());
    plan_.on_edge[exit_].insert(plan_.on_edge[exit_].begin(), ops->begin(), ops->end());
    return true;
  }

private:
  // Finds the only exit edge of the loop and the edges of the only path through its body, omitting edges inside inner
  // loops that are counted at their exits.
  bool find_path_around() {
    int block = loop_.head();
    for (size_t left = loop_.blocks.size(); left > 0; left--) {
      int on = inner_[block] < 0 ? edge_inside(block) : edge_out_of(inner_[block]);
      if (on < 0 || !loop_.contains(graph_.edge(on).dst))
        return false;
      around_.push_back(on);
      if (on == loop_.back_edges.front())
        return true;
      block = graph_.edge(on).dst;
    }
    return false;
  }

  // Returns the edge from `block` that stays in the loop.  Returns -1 if there is no such edge, if there are several,
  // or if the block itself contains operations.  Also records the exit edge.
  int edge_inside(int block) {
    int on = -1;
    if (!plan_.at_start[block].empty() || !plan_.before_end[block].empty())
      return -1;
    for (int e : graph_.succs(block)) {
      int &place = loop_.contains(graph_.edge(e).dst) ? on : exit_;
      if (place >= 0)
        return -1;
      place = e;
      if (!loop_.contains(graph_.edge(e).dst))
        edges_before_exit_ = around_.size();
    }
    return on;
  }

  // Returns the exit edge of an inner loop that is counted at its exit.
  int edge_out_of(int head) const {
    for (int block : loop_.blocks)
      if (inner_[block] == head)
        for (int e : graph_.succs(block))
          if (inner_[graph_.edge(e).dst] != head)
            return e;
    return -1;
  }

  const FlowGraph &graph_;
  const Loop &loop_;
  const std::vector<int> &inner_;
  Plan &plan_;
  std::vector<int> around_;
  int exit_ = -1;
  size_t edges_before_exit_ = 0; // number of edges on the path around the loop before the exit
};

bool contains_any(const Loop &loop, const std::vector<Loop> &inner) {
  return std::any_of(inner.begin(), inner.end(), [&](const Loop &one) { return loop.contains(one.head()); });
}

} // namespace

std::vector<Loop> take_counted_loops(std::vector<Loop> &candidates, const TripCounts &trip_counts) {
  std::vector<Loop> taken, others;
  for (Loop &loop : candidates) // inner loops first
    if (bool counts_at_exit = trip_counts.count(loop.head()) != 0; !contains_any(loop, counts_at_exit ? others : taken))
      (counts_at_exit ? taken : others).push_back(std::move(loop));
  candidates = std::move(others);
  return taken;
}

void keep_ends(const std::vector<Loop> &loops, const FlowGraph &graph, PlacementOptions &options) {
  if (options.barriers.empty() && !loops.empty())
    options.barriers.assign(graph.num_blocks(), 0);
  for (const Loop &loop : loops) {
    options.barriers[loop.head()] = 1;
    for (int e : loop.back_edges)
      options.barriers[graph.edge(e).src] = 1;
  }
}

Ops exit_count_ops(int64_t offset, const op::Repeat &repeated, int64_t start) {
  Ops ops{op::CountAt{offset}};
  if (repeated.times > 0)
    ops.push_back(repeated);
  ops.push_back(op::Set{start});
  return ops;
}

std::vector<int> sink_counts(const std::vector<Loop> &loops, const TripCounts &trip_counts, const FlowGraph &graph,
                             Plan &plan, const std::vector<Loop> &already) {
  std::vector<int> counted_loops, inner(graph.num_blocks(), -1);
  for (const Loop &loop : already)
    for (int block : loop.blocks)
      inner[block] = loop.head();
  for (const Loop &loop : loops) {
    if (!CountSinker(graph, loop, inner, plan).run(trip_counts.at(loop.head())))
      continue;
    counted_loops.push_back(loop.head());
    for (int block : loop.blocks)
      inner[block] = loop.head();
  }
  return counted_loops;
}

} // namespace pathprof
