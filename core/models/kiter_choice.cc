// SPDX-License-Identifier: GPL-3.0-or-later
// Searching the largest k that fits, loop by loop.
#include "core/models/kiter_choice.h"

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

// A loop of which some iterations are wanted.
struct Candidate {
  Loop loop;
  uint32_t most;
};

// First those around others.
static std::vector<Candidate> candidates(const FlowGraph &graph, const WantedIterations &wanted) {
  std::vector<Candidate> candidates;
  auto add = [&](std::vector<Loop> loops, const WantedIterations::OfLoop &wanted_of, bool are_around) {
    sort_hot_first(graph, loops);
    for (Loop &loop : loops) {
      uint32_t most = wanted_of(loop);
      if (most > 1 && (!are_around || is_contractible(graph, loop)))
        candidates.push_back({std::move(loop), most});
    }
  };
  if (wanted.around)
    add(natural_loops(graph), wanted.around, true);
  add(iterable_loops(graph), wanted.innermost, false);
  return candidates;
}

// Without loops that are inside of others of them, and contracted.
static std::vector<LoopIterations> without_contracted(const FlowGraph &graph, PathModel model) {
  std::vector<ContractedLoop> contracted = iteration_scheme(graph, model).contracted.loops;
  auto is_in_one = [&](const LoopIterations &loop) {
    return std::any_of(contracted.begin(), contracted.end(),
                       [&](const ContractedLoop &other) { return other.loop.contains(loop.head); });
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
  return without_contracted(graph, model);
}

std::vector<LoopIterations> choose_iterations(const FlowGraph &graph, Numbering numbering, uint64_t limit,
                                              const WantedIterations &wanted) {
  PathModel all{Mode::KIter, numbering, 1, wanted_iterations(graph, wanted)};
  if (has_at_most(graph, all, limit))
    return all.loops;
  PathModel model{Mode::KIter, numbering, 1, {}};
  for (const Candidate &candidate : candidates(graph, wanted)) {
    // More iterations are never fewer paths, from 2 on if loops are contracted.
    uint32_t fits = 1, most = candidate.most;
    while (fits < most) {
      uint32_t k = fits + (most - fits + 1) / 2;
      model.loops.push_back({candidate.loop.head(), k});
      if (has_at_most(graph, model, limit))
        fits = k;
      else
        most = k - 1;
      model.loops.pop_back();
    }
    if (fits > 1)
      model.loops.push_back({candidate.loop.head(), fits});
  }
  return without_contracted(graph, model);
}

} // namespace pathprof
