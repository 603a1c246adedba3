// SPDX-License-Identifier: GPL-3.0-or-later
// Searches for the largest k of each loop that satisfies the limit on paths.
#include "core/models/kiter_loop_selection.h"

#include <algorithm>
#include <utility>

#include "core/models/kiter_graph.h"
#include "core/models/kiter_loops.h"
#include "core/numbering/numbering.h"

namespace pathprof {

static bool has_at_most(const FlowGraph &graph, const PathModel &model, uint64_t limit) {
  if (!kiter_graph_has_room(graph, model))
    return false;
  PathGraph paths = kiter_path_graph(graph, model);
  PathNumbering numbering(paths);
  return numbering.fits() && numbering.num_paths() <= limit;
}

static void sort_hot_first(const FlowGraph &graph, std::vector<Loop> &loops) {
  std::stable_sort(loops.begin(), loops.end(), [&](const Loop &a, const Loop &b) {
    return frequency_of(graph, a.back_edges) > frequency_of(graph, b.back_edges);
  });
}

// A loop whose paths should span up to `most` iterations.
struct Candidate {
  Loop loop;
  uint32_t most;
};

// Returns the loops whose paths should span several iterations.  Outer loops precede inner loops.
static std::vector<Candidate> candidates(const FlowGraph &graph, const WantedIterations &wanted) {
  std::vector<Candidate> candidates;
  auto add = [&](std::vector<Loop> loops, const WantedIterations::OfLoop &wanted_of, bool are_around) {
    sort_hot_first(graph, loops);
    for (Loop &loop : loops) {
      uint32_t most = wanted_of(loop);
      if (most > 1 && (!are_around || is_collapsible(graph, loop)))
        candidates.push_back({std::move(loop), most});
    }
  };
  if (wanted.around)
    add(natural_loops(graph), wanted.around, true);
  add(iterable_loops(graph), wanted.innermost, false);
  return candidates;
}

// Returns the loops of the model that are not inside a collapsed loop.
static std::vector<LoopIterations> without_collapsed(const FlowGraph &graph, PathModel model) {
  std::vector<CollapsedLoop> collapsed = iteration_scheme(graph, model).collapsed.loops;
  auto is_in_one = [&](const LoopIterations &loop) {
    return std::any_of(collapsed.begin(), collapsed.end(),
                       [&](const CollapsedLoop &other) { return other.loop.contains(loop.head); });
  };
  model.loops.erase(std::remove_if(model.loops.begin(), model.loops.end(), is_in_one), model.loops.end());
  std::sort(model.loops.begin(), model.loops.end(),
            [](const LoopIterations &a, const LoopIterations &b) { return a.head < b.head; });
  return model.loops;
}

std::vector<LoopIterations> wanted_iterations(const FlowGraph &graph, const WantedIterations &wanted) {
  PathModel model{Mode::KIter, Numbering::Register, 1, {}};
  for (const Candidate &candidate : candidates(graph, wanted))
    model.loops.push_back({candidate.loop.head(), candidate.most});
  return without_collapsed(graph, model);
}

namespace {

// Selects iteration counts for as many loops as the limit allows.
class LoopSelection {
public:
  LoopSelection(const FlowGraph &graph, Numbering numbering, uint64_t limit)
      : graph_(graph), limit_(limit), model_{Mode::KIter, numbering, 1, {}} {}

  // Adds loops in groups that satisfy the limit, and stops after kMaxNotFitting loops have failed to satisfy it.
  // Checking the limit takes time proportional to the size of the function, so checking each loop separately would take
  // quadratic time.
  PathModel run(const std::vector<Candidate> &candidates) {
    size_t next = 0, group = 1;
    for (int not_fitting = 0; next < candidates.size() && not_fitting < kMaxNotFitting;) {
      group = std::min(group, candidates.size() - next);
      if (add_whole(candidates, next, group)) {
        next += group;
        group *= 2;
      } else if (group > 1) {
        group /= 2;
      } else {
        add_part(candidates[next++]);
        not_fitting++;
      }
    }
    return std::move(model_);
  }

private:
  static constexpr int kMaxNotFitting = 64;

  // Adds these loops with the requested iteration counts if the limit is still satisfied.  Returns true if the loops
  // were added.
  bool add_whole(const std::vector<Candidate> &candidates, size_t first, size_t number) {
    size_t before = model_.loops.size();
    for (size_t i = first; i < first + number; i++)
      model_.loops.push_back({candidates[i].loop.head(), candidates[i].most});
    bool fits = has_at_most(graph_, model_, limit_);
    if (!fits)
      model_.loops.resize(before);
    return fits;
  }

  // Adds the loop with the largest k that satisfies the limit.  The requested k is known to be too large.  The binary
  // search is correct because a larger k never reduces the number of paths (for outer loops, from k = 2 on).
  void add_part(const Candidate &candidate) {
    uint32_t fits = 1, most = candidate.most - 1;
    while (fits < most) {
      uint32_t k = fits + (most - fits + 1) / 2;
      model_.loops.push_back({candidate.loop.head(), k});
      if (has_at_most(graph_, model_, limit_))
        fits = k;
      else
        most = k - 1;
      model_.loops.pop_back();
    }
    if (fits > 1)
      model_.loops.push_back({candidate.loop.head(), fits});
  }

  const FlowGraph &graph_;
  uint64_t limit_;
  PathModel model_;
};

} // namespace

std::vector<LoopIterations> choose_iterations(const FlowGraph &graph, Numbering numbering, uint64_t limit,
                                              const WantedIterations &wanted) {
  PathModel all{Mode::KIter, numbering, 1, wanted_iterations(graph, wanted)};
  if (has_at_most(graph, all, limit))
    return all.loops;
  return without_collapsed(graph, LoopSelection(graph, numbering, limit).run(candidates(graph, wanted)));
}

} // namespace pathprof
