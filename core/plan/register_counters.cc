// SPDX-License-Identifier: GPL-3.0-or-later
// Selects the paths that a loop counts in registers, and moves their counts there.
#include "core/plan/register_counters.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/numbering/wrap.h"

namespace pathprof {

namespace {

// Moves the counts of one loop of a peeled graph to register counters.
//
// A path is *decided* on an edge if the register does not change between the edge and the end of the path, and the path
// can be counted at only one offset from the register.  It is then counted on the first such edge instead of at its
// end.  A register counter is used if the edge sets the register to a constant; otherwise, the counter in memory is
// used.  If control leaves the loop before the end of the path, the count is undone.
class LoopCounters {
public:
  // For each block in an inner loop that already has register counters, `inner` contains a number that identifies the
  // inner loop.  For all other blocks, it contains -1.
  LoopCounters(const FlowGraph &graph, const Loop &loop, const std::vector<int> &inner, size_t max_counters, Plan &plan)
      : graph_(graph), loop_(loop), inner_(inner), max_counters_(max_counters), plan_(plan),
        future_(graph.num_blocks()) {}

  std::vector<int64_t> run() {
    for (int block : loop_.blocks)
      if (!is_done(block) && !plan_.before_end[block].empty())
        return {};
    find_futures();
    select_early_offsets();
    choose_counters();
    if (counters_of_loop_.empty())
      return {};
    std::map<int, Ops> changed;
    for_edges([&](int e, bool stays) { changed[e] = stays ? ops_inside(e) : ops_at_exit(e); });
    for (auto &[e, ops] : changed)
      plan_.on_edge[e] = std::move(ops);
    for (int e : graph_.preds(loop_.head()))
      if (!loop_.contains(graph_.edge(e).src))
        for (int64_t register_counter : counters_of_loop_)
          plan_.on_edge[e].push_back(op::Clear{register_counter});
    for (int e : loop_.back_edges)
      increment_before_branch(e);
    return {counters_of_loop_.begin(), counters_of_loop_.end()};
  }

private:
  // The operations that can count the paths that reach a block.
  struct Future {
    bool known = false;
    bool changes = false;      // true if the register may change before the path is counted
    std::set<int64_t> offsets; // offsets from the register at which the loop counts the path
  };

  // Visits the edges out of the loop's blocks, except the edges within an inner loop that already has register
  // counters.
  template <class Visit>
  void for_edges(Visit visit) const {
    for (int block : loop_.blocks)
      for (int e : graph_.succs(block)) {
        bool stays = loop_.contains(graph_.edge(e).dst);
        if (!(is_done(block) && inner_[block] == inner_[graph_.edge(e).dst]))
          visit(e, stays);
      }
  }

  bool is_done(int block) const { return inner_[block] >= 0; }

  static bool is_change(const Op &op) { return is_any_of<op::Set, op::Add>(op); }

  static bool is_count(const Op &op) { return is_any_of<op::CountAt, op::CountConst>(op); }

  // Returns the destination of the edge.  Returns -1 if the edge leaves the loop, enters an inner loop that already has
  // register counters, or is an edge on which paths end or are counted.
  int goes_on_at(int e) const {
    const Edge &edge = graph_.edge(e);
    const Ops &ops = plan_.on_edge[e];
    bool ends = !loop_.contains(edge.dst) || edge.is_cut() || std::any_of(ops.begin(), ops.end(), is_count);
    return ends || is_done(edge.dst) ? -1 : edge.dst;
  }

  void merge_edge(int e, Future &merged) const {
    bool changes = false;
    for (const Op &op : plan_.on_edge[e]) {
      changes |= is_change(op);
      if (std::holds_alternative<op::CountConst>(op)) {
        merged.changes = true; // the register was not set on this path
        return;
      }
      if (auto *count = std::get_if<op::CountAt>(&op)) {
        merged.changes |= changes;
        merged.offsets.insert(count->offset);
        return;
      }
    }
    if (graph_.edge(e).is_cut())
      return; // the path was counted earlier
    int dst = graph_.edge(e).dst;
    if (is_done(dst)) {
      merged.changes = true;
      return;
    }
    const Future &then = future_[dst];
    merged.changes |= changes || then.changes;
    merged.offsets.insert(then.offsets.begin(), then.offsets.end());
  }

  Future merged_future(int block) const {
    Future merged;
    for (int e : graph_.succs(block))
      if (loop_.contains(graph_.edge(e).dst))
        merge_edge(e, merged);
    merged.known = true;
    return merged;
  }

  // Computes the Future of a block from the Future objects of its successors.  The graph without cut edges is acyclic.
  // An explicit stack is used because recursion would be too deep for long chains of blocks.
  void find_futures_from(int root) {
    std::vector<int> open{root};
    while (!open.empty()) {
      int block = open.back();
      size_t before = open.size();
      if (!future_[block].known)
        for (int e : graph_.succs(block)) {
          int next = goes_on_at(e);
          if (next >= 0 && !future_[next].known)
            open.push_back(next);
        }
      if (open.size() > before)
        continue;
      if (!future_[block].known)
        future_[block] = merged_future(block);
      open.pop_back();
    }
  }

  void find_futures() {
    for (int block : loop_.blocks)
      if (!is_done(block))
        find_futures_from(block);
  }

  // Returns the offset from the register at which paths that reach this block are counted if control stays in the loop.
  // Returns nothing if the register can change before the paths are counted or if the offset is not unique.
  std::optional<int64_t> decided(int block) const {
    const Future &future = future_[block];
    if (is_done(block) || future.changes || future.offsets.size() != 1 ||
        !early_offsets_.count(*future.offsets.begin()))
      return std::nullopt;
    return *future.offsets.begin();
  }

  // Returns the register value after the edge, or nothing if the edge does not set the register to a constant.
  std::optional<int64_t> set_value(int e) const {
    std::optional<int64_t> value;
    for (const Op &op : plan_.on_edge[e]) {
      if (auto *set = std::get_if<op::Set>(&op))
        value = set->value;
      else if (std::holds_alternative<op::Add>(op))
        value = std::nullopt;
    }
    return value;
  }

  bool changes(int e) const {
    const Ops &ops = plan_.on_edge[e];
    return std::any_of(ops.begin(), ops.end(), is_change);
  }

  // If the edge counts paths before they end, returns their offset from the register.  Otherwise, returns nothing.  An
  // edge counts paths if decided() returns an offset for its destination but not for its source.
  std::optional<int64_t> decides(int e) const {
    const Edge &edge = graph_.edge(e);
    if (edge.is_cut() || !loop_.contains(edge.dst) || (!changes(e) && decided(edge.src)))
      return std::nullopt;
    return decided(edge.dst);
  }

  // Selects the offsets at which paths are counted early.  decided() and decides() consider only the offsets that are
  // still selected.
  void select_early_offsets() {
    for (int block : loop_.blocks)
      early_offsets_.insert(future_[block].offsets.begin(), future_[block].offsets.end());
    exclude_offsets_decided_at_start();
    exclude_offsets_decided_by_addition();
  }

  // Excludes each offset that decided() returns for a block at which paths start.  No edge after such a block would
  // count these paths.
  void exclude_offsets_decided_at_start() {
    for (int block : loop_.blocks)
      if (starts_paths(block))
        if (std::optional<int64_t> offset = decided(block))
          early_offsets_.erase(*offset);
  }

  // Excludes each offset at which most paths are counted on edges that do not set the register to a constant.  On such
  // an edge, the path's counter is not known at compile time.
  void exclude_offsets_decided_by_addition() {
    std::map<int64_t, double> set, all; // frequency with which the register is set, and total frequency
    for_edges([&](int e, bool) {
      if (std::optional<int64_t> offset = decides(e)) {
        all[*offset] += graph_.edge(e).frequency;
        set[*offset] += set_value(e) ? graph_.edge(e).frequency : 0;
      }
    });
    for (auto &[offset, frequency] : all)
      if (set[offset] < frequency / 2)
        early_offsets_.erase(offset);
  }

  bool starts_paths(int block) const {
    const std::vector<int> &preds = graph_.preds(block);
    return std::any_of(preds.begin(), preds.end(), [&](int e) { return graph_.edge(e).is_cut(); });
  }

  // Selects the paths that are counted most often, because rare paths are not worth a register.  Paths that already
  // have a register counter in an inner loop are omitted; this happens if a cut edge leaves the inner loop at its
  // latch.
  void choose_counters() {
    std::map<int64_t, double> frequency;
    std::set<int64_t> of_inner;
    for_edges([&](int e, bool stays) {
      if (!stays)
        return;
      for (const Op &op : plan_.on_edge[e])
        if (auto *count = std::get_if<op::CountConst>(&op))
          frequency[count->path] += graph_.edge(e).frequency;
        else if (auto *clear = std::get_if<op::Clear>(&op))
          of_inner.insert(clear->path);
      std::optional<int64_t> offset = decides(e), value = set_value(e);
      if (offset && value)
        frequency[wrapped_sum(*value, *offset)] += graph_.edge(e).frequency;
    });
    constexpr double rare = 0.1, mostly = 0.5;
    double around = 0, planned = 0;
    for (int e : loop_.back_edges)
      around += graph_.edge(e).frequency;
    std::vector<std::pair<double, int64_t>> by_frequency;
    for (auto &[register_counter, f] : frequency)
      if (f >= rare * around && !of_inner.count(register_counter))
        by_frequency.push_back({-f, register_counter});
    std::sort(by_frequency.begin(), by_frequency.end());
    by_frequency.resize(std::min(by_frequency.size(), max_counters_));
    for (auto &[negative, register_counter] : by_frequency) {
      counters_of_loop_.insert(register_counter);
      planned -= negative;
    }
    if (planned < mostly * around)
      counters_of_loop_.clear();
  }

  Op count_of(int64_t path) const {
    return counters_of_loop_.count(path) ? Op{op::Increment{path}} : Op{op::CountConst{path}};
  }

  Ops ops_inside(int e) const {
    std::optional<int64_t> offset = decides(e), value = set_value(e), before = decided(graph_.edge(e).src);
    Ops changed;
    for (const Op &op : plan_.on_edge[e]) {
      if (auto *count = std::get_if<op::CountConst>(&op))
        changed.push_back(count_of(count->path));
      else if (!(std::holds_alternative<op::CountAt>(op) && before))
        changed.push_back(op);
    }
    if (offset)
      changed.push_back(value ? count_of(wrapped_sum(*value, *offset)) : Op{op::CountAt{*offset}});
    return changed;
  }

  // Returns the operations on an exit edge.  If decided() returns an offset for the edge's source, a path was counted
  // at this offset before control reached the source.  If the exit edge would count the same path again, the count on
  // the exit edge is omitted.  If control leaves on a different path, the earlier count is undone.
  Ops ops_at_exit(int e) const {
    Ops changed;
    for (int64_t register_counter : counters_of_loop_)
      changed.push_back(op::Flush{register_counter});
    const Ops &ops = plan_.on_edge[e];
    auto rest = ops.begin();
    if (std::optional<int64_t> offset = decided(graph_.edge(e).src)) {
      if (rest != ops.end() && *rest == Op{op::CountAt{*offset}})
        ++rest;
      else
        changed.push_back(op::UncountAt{*offset});
    }
    changed.insert(changed.end(), rest, ops.end());
    return changed;
  }

  // Moves increments from a back edge to the end of its latch, and adds decrements on the exit edges.  If control can
  // leave the loop at the latch, increments on the back edge would need an additional block.
  void increment_before_branch(int back_edge) {
    int latch = graph_.edge(back_edge).src;
    Ops &ops = plan_.on_edge[back_edge];
    const std::vector<int> &succs = graph_.succs(latch);
    bool others_leave = std::all_of(succs.begin(), succs.end(),
                                    [&](int e) { return e == back_edge || !loop_.contains(graph_.edge(e).dst); });
    bool increments_only = std::all_of(ops.begin(), ops.end(), is_any_of<op::Increment>);
    if (succs.size() == 1 || !others_leave || !increments_only || is_done(latch))
      return;
    for (int e : succs) {
      if (e == back_edge)
        continue;
      Ops undone;
      for (const Op &op : ops)
        undone.push_back(op::Decrement{std::get<op::Increment>(op).path});
      plan_.on_edge[e].insert(plan_.on_edge[e].begin(), undone.begin(), undone.end());
    }
    plan_.before_end[latch] = std::move(ops);
    ops.clear();
  }

  const FlowGraph &graph_;
  const Loop &loop_;
  const std::vector<int> &inner_;
  size_t max_counters_;
  Plan &plan_;
  std::vector<Future> future_;
  std::set<int64_t> early_offsets_; // offsets at which paths are counted before their ends
  std::set<int64_t> counters_of_loop_;
};

} // namespace

// Assigns register counters to the loops of a peeled graph, starting with inner loops.  Returns the path IDs for each
// loop.
static std::vector<std::vector<int64_t>> assign_register_counters(const Peeled &peeled, size_t max_counters,
                                                                  Plan &plan) {
  std::vector<std::vector<int64_t>> register_counters;
  std::vector<int> done(peeled.graph.num_blocks(), -1);
  for (const Loop &loop : peeled.loops) {
    register_counters.push_back(LoopCounters(peeled.graph, loop, done, max_counters, plan).run());
    if (!register_counters.back().empty())
      for (int block : loop.blocks)
        done[block] = static_cast<int>(register_counters.size());
  }
  return register_counters;
}

// Removes the candidates to which no register counters were assigned.  These loops need not be peeled.
static void keep_counted_in_registers(std::vector<Loop> &candidates, const RegisterCounterPlan &planned) {
  std::set<int> with; // headers of loops with register counters
  for (size_t loop = 0; loop < planned.register_counters.size(); loop++)
    if (!planned.register_counters[loop].empty())
      with.insert(planned.peeled.loops[loop].head());
  candidates.erase(std::remove_if(candidates.begin(), candidates.end(),
                                  [&](const Loop &loop) { return with.count(loop.head()) == 0; }),
                   candidates.end());
}

// Removes each loop whose trip count is known but whose paths could not be counted at its exits.  These paths are
// counted like paths outside loops.
static void drop_those_not_sunk(std::vector<Loop> &loops, const TripCounts &trip_counts,
                                const std::vector<int> &counted_loops) {
  loops.erase(std::remove_if(loops.begin(), loops.end(),
                             [&](const Loop &loop) {
                               return trip_counts.count(loop.head()) &&
                                      std::find(counted_loops.begin(), counted_loops.end(), loop.head()) ==
                                          counted_loops.end();
                             }),
              loops.end());
}

static RegisterCounterPlan plan_under(const TreePolicy &policy, const PathGraph &paths,
                                      const std::vector<int64_t> &vals, std::vector<Loop> loops, size_t max_counters,
                                      const PlacementOptions &options, const TripCounts &trip_counts) {
  if (loops.empty()) { // no loops: `paths` can belong to any model
    std::vector<char> in_tree = maximum_spanning_tree(paths, policy, {}, options.copied);
    Increments increments = chord_increments(paths, in_tree, vals);
    Plan plan = place(paths, in_tree, increments.of_edge, options);
    return {peel(paths.flow(), {}), std::move(plan), std::move(increments), {}, {}};
  }
  std::vector<Loop> candidates = loops, to_sink = take_counted_loops(candidates, trip_counts);
  for (;;) {
    Peeled peeled = peel(paths.flow(), candidates);
    PathGraph peeled_paths(peeled.graph);
    std::vector<int> heads;
    for (const Loop &loop : peeled.loops)
      heads.push_back(loop.head());
    PlacementOptions of_graph = options;
    keep_ends(to_sink, peeled.graph, of_graph);
    std::vector<char> in_tree = maximum_spanning_tree(peeled_paths, policy, heads, options.copied);
    Increments increments =
        chord_increments(peeled_paths, in_tree, vals_after_peeling(peeled_paths, peeled, paths, vals));
    Plan plan = place(peeled_paths, in_tree, increments.of_edge, of_graph);
    RegisterCounterPlan planned{std::move(peeled), std::move(plan), std::move(increments), {}, {}};
    planned.counted_loops = sink_counts(to_sink, trip_counts, planned.peeled.graph, planned.plan);
    if (planned.counted_loops.size() < to_sink.size()) {
      drop_those_not_sunk(loops, trip_counts, planned.counted_loops);
      candidates = loops;
      to_sink = take_counted_loops(candidates, trip_counts);
      continue;
    }
    planned.register_counters = assign_register_counters(planned.peeled, max_counters, planned.plan);
    size_t before = candidates.size();
    keep_counted_in_registers(candidates, planned);
    if (candidates.size() == before)
      return planned;
  }
}

RegisterCounterPlan plan_with_register_counters(const PathGraph &paths, const std::vector<int64_t> &vals,
                                                const std::vector<Loop> &candidates, size_t max_counters,
                                                const PlacementOptions &options, const TripCounts &trip_counts) {
  std::optional<RegisterCounterPlan> best;
  double lowest = 0;
  for (const TreePolicy &policy : tree_policies(options.try_policies)) {
    RegisterCounterPlan plan = plan_under(policy, paths, vals, candidates, max_counters, options, trip_counts);
    double cost = cost_of(plan.plan, plan.peeled.graph);
    if (best && cost >= lowest)
      continue;
    lowest = cost;
    best = std::move(plan);
  }
  return std::move(*best);
}

} // namespace pathprof
