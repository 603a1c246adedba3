// SPDX-License-Identifier: GPL-3.0-or-later
// Implements the default behaviour of models: acyclic paths, and no loops with special treatment.
#include "core/models/model.h"

#include <algorithm>

#include "core/numbering/cut.h"

namespace pathprof {

std::string Model::loop_text(const LoopIterations &loop) const {
  return "k = " + std::to_string(loop.k);
}

std::string Model::choice_text(const FlowGraph &, const PathEdge &) const {
  return {};
}

PathGraph Model::path_graph(const FlowGraph &graph, const PathModel &) const {
  return PathGraph(graph);
}

std::vector<CollapsedLoop> Model::collapsed_loops(const FlowGraph &, const PathModel &) const {
  return {};
}

bool Model::has_room(const FlowGraph &, const PathModel &) const {
  return true;
}

mpz_class Model::num_paths_uncut(const FlowGraph &graph, const PathModel &, const WantedIterations &) const {
  return count_paths(graph);
}

std::string Model::limit(FlowGraph &graph, PathModel &, const PathLimits &limits, const WantedIterations &) const {
  uint64_t named = most_named_paths();
  return cut_to_limits(graph, count_paths(graph),
                       named ? PathLimits{named, named, limits.skip_on_overflow, limits.spared} : limits);
}

RegisterCounterPlan Model::plan(const PlanInputs &inputs) const {
  return plan_with_register_counters(inputs.paths, inputs.vals, inputs.loops, inputs.max_counters, inputs.options,
                                     inputs.trip_counts);
}

std::string cut_to_limits(FlowGraph &graph, const mpz_class &num_paths, const PathLimits &limits) {
  mpz_class most = static_cast<unsigned long>(limits.paths_max);
  if (num_paths <= most)
    return {};
  std::string limit = "paths-max=" + std::to_string(limits.paths_max);
  if (limits.skip_on_overflow)
    return num_paths.get_str() + " paths, more than " + limit;
  bool fits = count_paths(graph) <= most;
  for (char spared = limits.spared.empty() ? 3 : 1; spared <= 3 && !fits; spared++) {
    std::vector<char> kept = limits.spared;
    for (char &edge : kept)
      edge = edge >= spared;
    fits = cut_to_limit(graph, std::min(limits.paths_max, limits.array_max), kept) >= 0 ||
           cut_to_limit(graph, limits.paths_max, kept) >= 0;
  }
  return fits ? "" : "more paths than " + limit + " even with all possible truncation points";
}

} // namespace pathprof
