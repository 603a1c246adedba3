// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tally.h"

#include <algorithm>
#include <set>
#include <utility>

namespace pathprof {

namespace {

class Tallier {
public:
  Tallier(const Peeled &peeled, size_t index, Plan &plan)
      : graph_(peeled.graph), loop_(peeled.loops[index]), entries_(peeled.entries[index]), plan_(plan),
        inside_(graph_.num_blocks(), 0) {
    for (int block : loop_.blocks)
      inside_[block] = 1;
  }

  std::vector<int64_t> run(size_t max_tallies) {
    if (!collect() || !find_set_blocks() || tallies_.empty() || tallies_.size() > max_tallies)
      return {};
    change_loop();
    change_ends();
    tally_before_branch();
    return {tallies_.begin(), tallies_.end()};
  }

private:
  template <class Visit> void for_edges(Visit visit) const {
    for (int block : loop_.blocks)
      for (int e : graph_.succs(block))
        visit(e, inside_[graph_.edge(e).dst] != 0);
  }

  // What the plan does between the loop's blocks: the counters, and what is added to the register for
  // each.  False if a sum goes into it.
  bool collect() {
    bool ok = !sets(loop_.back_edge); // that would be the next iteration's
    std::set<int64_t> sets;
    for_edges([&](int e, bool stays) {
      if (!stays)
        return;
      for (const Op &op : plan_.on_edge[e]) {
        if (op.kind == OpKind::Set)
          sets.insert(op.value);
        else if (op.kind == OpKind::CountConst)
          tallies_.insert(op.value);
        else if (op.kind == OpKind::CountAt && (!counts_at_ || offset_ == op.value))
          counts_at_ = true, offset_ = op.value;
        else
          ok = false;
      }
    });
    if (counts_at_)
      for (int64_t value : sets)
        tallies_.insert(value + offset_);
    return ok;
  }

  // At which blocks the register is set in this iteration.  False if that depends on the way there.
  bool find_set_blocks() {
    enum : char { Unknown, No, Yes };
    std::vector<char> state(graph_.num_blocks(), Unknown);
    state[loop_.head()] = No;
    std::vector<int> work{loop_.head()};
    while (!work.empty()) {
      int block = work.back();
      work.pop_back();
      for (int e : graph_.succs(block)) {
        int dst = graph_.edge(e).dst;
        if (e == loop_.back_edge || !inside_[dst])
          continue;
        const char then = sets(e) ? static_cast<char>(Yes) : state[block];
        if (state[dst] == Unknown) {
          state[dst] = then;
          work.push_back(dst);
        } else if (state[dst] != then) {
          return false;
        }
      }
    }
    is_set_.resize(graph_.num_blocks());
    std::transform(state.begin(), state.end(), is_set_.begin(), [](char s) { return s == Yes; });
    return true;
  }

  bool sets(int e) const {
    const Ops &ops = plan_.on_edge[e];
    return std::any_of(ops.begin(), ops.end(), [](const Op &op) { return op.kind == OpKind::Set; });
  }

  void change_loop() {
    for_edges([&](int e, bool stays) {
      if (!stays)
        return;
      Ops changed;
      for (const Op &op : plan_.on_edge[e]) {
        if (op.kind == OpKind::CountConst)
          changed.push_back({OpKind::Tally, op.value});
        else if (op.kind == OpKind::Set)
          changed.push_back(op);
        if (op.kind == OpKind::Set && counts_at_)
          changed.push_back({OpKind::Tally, op.value + offset_});
      }
      plan_.on_edge[e] = std::move(changed);
    });
  }

  void change_ends() {
    for (int entry : entries_)
      for (int64_t tally : tallies_)
        plan_.on_edge[entry].push_back({OpKind::Clear, tally});
    for_edges([&](int e, bool stays) {
      if (stays)
        return;
      Ops changed;
      for (int64_t tally : tallies_)
        changed.push_back({OpKind::Flush, tally});
      if (counts_at_ && is_set_[graph_.edge(e).src])
        changed.push_back({OpKind::UncountAt, offset_});
      Ops &ops = plan_.on_edge[e];
      changed.insert(changed.end(), ops.begin(), ops.end());
      ops = std::move(changed);
    });
  }

  // A tally on the back edge out of a block where control may also leave the loop would need a block of its
  // own: it comes before the branch, and is undone where control leaves.
  void tally_before_branch() {
    int latch = graph_.edge(loop_.back_edge).src;
    Ops &ops = plan_.on_edge[loop_.back_edge];
    const std::vector<int> &succs = graph_.succs(latch);
    bool others_leave = std::all_of(succs.begin(), succs.end(), [&](int e) {
      return e == loop_.back_edge || !inside_[graph_.edge(e).dst];
    });
    bool tallies_only =
        std::all_of(ops.begin(), ops.end(), [](const Op &op) { return op.kind == OpKind::Tally; });
    if (succs.size() == 1 || !others_leave || !tallies_only)
      return;
    for (int e : succs) {
      if (e == loop_.back_edge)
        continue;
      Ops undone;
      for (const Op &op : ops)
        undone.push_back({OpKind::Untally, op.value});
      plan_.on_edge[e].insert(plan_.on_edge[e].begin(), undone.begin(), undone.end());
    }
    plan_.before_end[latch] = std::move(ops);
    ops.clear();
  }

  const FlowGraph &graph_;
  const Loop &loop_;
  const std::vector<int> &entries_;
  Plan &plan_;
  std::vector<char> inside_;
  std::set<int64_t> tallies_;
  bool counts_at_ = false; // at a register that was set in the loop, plus
  int64_t offset_ = 0;
  std::vector<char> is_set_;
};

} // namespace

// Changes the plan of a peeled graph so that the loop with this index counts in tallies, and returns which;
// returns nothing and leaves the plan alone where more than `max_tallies` would be needed, or where the path
// around the loop is known by a sum only.
//
// A path is tallied where the plan sets the register for it.  If control then leaves the loop before the back
// edge, the one too many is taken back from the counter.
static std::vector<int64_t> keep_tallies(const Peeled &peeled, size_t loop, size_t max_tallies, Plan &plan) {
  return Tallier(peeled, loop, plan).run(max_tallies);
}

static TalliedPlan plan_under(const TreePolicy &policy, const PathGraph &paths,
                              const std::vector<int64_t> &vals, std::vector<Loop> candidates,
                              size_t max_tallies, const PlacementOptions &options) {
  for (;;) {
    Peeled peeled = peel(paths.flow(), candidates);
    PathGraph peeled_paths(peeled.graph);
    std::vector<int> heads;
    for (const Loop &loop : candidates)
      heads.push_back(loop.head());
    std::vector<char> in_tree = maximum_spanning_tree(peeled_paths, policy, heads);
    Increments increments =
        chord_increments(peeled_paths, in_tree, vals_after_peeling(peeled_paths, peeled, paths, vals));
    Plan plan = place(peeled_paths, in_tree, increments.of_edge, options);
    std::vector<Loop> tallied;
    std::vector<std::vector<int64_t>> tallies;
    for (size_t loop = 0; loop < candidates.size(); loop++) {
      std::vector<int64_t> kept = keep_tallies(peeled, loop, max_tallies, plan);
      if (!kept.empty())
        tallied.push_back(candidates[loop]);
      tallies.push_back(std::move(kept));
    }
    if (tallied.size() == candidates.size())
      return {std::move(peeled), std::move(plan), std::move(increments), std::move(tallies)};
    candidates = std::move(tallied); // the others need not be peeled
  }
}

TalliedPlan plan_with_tallies(const PathGraph &paths, const std::vector<int64_t> &vals,
                              const std::vector<Loop> &candidates, size_t max_tallies,
                              const PlacementOptions &options) {
  TalliedPlan best = plan_under({}, paths, vals, candidates, max_tallies, options);
  double lowest = cost_of(best.plan, best.peeled.graph);
  for (const TreePolicy &policy : {TreePolicy{0, 0, 3}, TreePolicy{1, 0, 1}, TreePolicy{0, 1, 1},
                                   TreePolicy{1, 1, 1}, TreePolicy{1, 1, 3}}) {
    TalliedPlan other = plan_under(policy, paths, vals, candidates, max_tallies, options);
    double cost = cost_of(other.plan, other.peeled.graph);
    if (cost < lowest) {
      lowest = cost;
      best = std::move(other);
    }
  }
  return best;
}

} // namespace pathprof
