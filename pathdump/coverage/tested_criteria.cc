// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the effects of conditions on a path, and the prime paths in the counts of one test.
#include "pathdump/coverage/tested_criteria.h"

#include <algorithm>

#include "core/analysis/decisions.h"
#include "core/analysis/mcdc.h"
#include "pathdump/coverage/conditions.h"
#include "pathdump/model/prime.h"
#include "pathdump/ui/opening.h"

namespace pathprof {

CriteriaOfPaths::CriteriaOfPaths(const Profile &profile, const std::string &file)
    : profile_(profile), file_(file), decoded_(profile.functions.size()), graphs_(profile.functions.size()),
      effects_(profile.functions.size()) {}

const Decoded &CriteriaOfPaths::decoded(size_t function) {
  if (!decoded_[function])
    decoded_[function] = decode_or_fail(file_, profile_.functions[function]);
  return *decoded_[function];
}

static std::vector<uint64_t> effects_of_path(const Function &function, const Path &path) {
  DecisionVectors vectors(function.notes.graph, function.notes.conditions);
  vectors.add(path, 1);
  std::vector<uint64_t> effects;
  for (const ExecutedDecision &decision : vectors.take()) {
    if (is_made_up(function, decision))
      continue;
    for (const ConditionVector &vector : decision.vectors) {
      std::vector<char> has_effect = effects_in(decision.graph, vector);
      for (size_t i = 0; i < has_effect.size(); i++)
        if (has_effect[i])
          effects.push_back(Effect{decision.blocks[i].front(), vector.values[i] == 1, vector.outcome}.number());
    }
  }
  std::sort(effects.begin(), effects.end());
  effects.erase(std::unique(effects.begin(), effects.end()), effects.end());
  return effects;
}

const std::vector<uint64_t> &CriteriaOfPaths::effects(size_t function, uint64_t path) {
  auto [at, is_new] = effects_[function].try_emplace(path);
  if (is_new && has_conditions(profile_.functions[function]))
    at->second = effects_of_path(profile_.functions[function], *decoded(function).regenerate(path));
  return at->second;
}

PrimeCounts CriteriaOfPaths::prime_paths(size_t function, const std::vector<ExecutedPath> &paths,
                                         const Forest &forest) {
  const Function &of = profile_.functions[function];
  if (!counts_prime_paths(of))
    return {};
  Forest roots;
  for (const ExecutedPath &path : paths)
    if (path.count > 0 && path.id < of.notes.num_paths) // excludes truncated paths, which have higher IDs
      roots.push_back({ForestNode::kNone, 1, path.id, path.count});
  if (!graphs_[function])
    graphs_[function] = std::make_unique<PrimeGraph>(of.notes.graph);
  return count_prime_paths(*graphs_[function], of.notes.has_forest() ? forest : roots, sequence_length(of),
                           [&](uint64_t id) { return *decoded(function).regenerate(id); });
}

} // namespace pathprof
