// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the prime paths of functions.
#include "pathdump/model/prime.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/models/model.h"
#include "pathdump/describe/flow_json.h"
#include "pathdump/describe/line_sequence.h"

namespace pathprof {

// Maximum number of edges to examine when the prime paths of a function are counted, and when missing prime paths of a
// function are searched for.  Examining this many edges takes a fraction of a second.
static constexpr uint64_t kCountingEffort = 20000000;
static constexpr uint64_t kMissingEffort = 10000000;

bool counts_prime_paths(const Function &function) {
  return !is_left_out(function) && !function.in_program && model_of(function.notes.model).has(Feature::AcyclicPaths);
}

uint32_t sequence_length(const Function &function) {
  return function.notes.has_forest() ? function.notes.model.k : 1;
}

FunctionPrimePaths::FunctionPrimePaths(const Function &function, const Decoded &decoded)
    : function_(&function), graph_(function.notes.graph),
      executed_(count_prime_paths(graph_, forest_of(function), sequence_length(function),
                                  [&](uint64_t id) { return *decoded.regenerate(id); })) {
  uint64_t effort = kCountingEffort;
  total_ = count_all_prime_paths(graph_, sequence_length(function), effort);
  // If counting was stopped at the effort limit, the total can be smaller than the number of executed prime paths.
  mpz_class num_executed = static_cast<unsigned long>(executed_.size());
  if (total_.measured < num_executed) {
    total_.all += num_executed - total_.measured;
    total_.measured = num_executed;
  }
}

std::vector<std::pair<PrimePath, uint64_t>> FunctionPrimePaths::by_count() const {
  std::vector<std::pair<PrimePath, uint64_t>> paths(executed_.begin(), executed_.end());
  std::stable_sort(paths.begin(), paths.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
  return paths;
}

MissingPrimePaths FunctionPrimePaths::missing(size_t limit) const {
  uint64_t effort = kMissingEffort;
  return nearest_missing(graph_, executed_, sequence_length(*function_), limit, effort);
}

Path path_of(const PrimeGraph &graph, const PrimePath &blocks) {
  const FlowGraph &flow = graph.flow();
  Path path;
  path.start = PathStart::Cut;
  if (const std::vector<int> &preds = flow.preds(blocks.front());
      preds.size() == 1 && flow.edge(preds.front()).src == kEntryBlock) {
    path.start = PathStart::Entry;
    path.blocks.push_back(kEntryBlock);
    path.edges.push_back(preds.front());
  }
  for (size_t i = 0; i < blocks.size(); i++) {
    path.blocks.push_back(blocks[i]);
    if (i > 0)
      path.edges.push_back(graph.edge(blocks[i - 1], blocks[i]));
  }
  return path;
}

PathLabel path_label(const Function &function, const PrimeGraph &graph, const PrimePath &blocks,
                     PathFormatter &formatter) {
  PathLabel text = path_label(function, path_of(graph, blocks), 0, formatter);
  text.start = FunctionPrimePaths::kind(blocks);
  text.end.clear();
  text.last_resorts.front() = fmt::format("blocks {}", fmt::join(blocks, " "));
  return text;
}

std::vector<Difference> FunctionPrimePaths::differences(const PrimePath &path, const PrimePath &other) const {
  std::vector<Difference> result;
  for (size_t i = 1; i < path.size(); i++) {
    int block = path[i - 1];
    if (!decides(graph_, block))
      continue;
    int edge = graph_.edge(block, path[i]);
    Difference difference{block, flags_json(graph_.flow().edge(edge).flags), nullptr, {path[i], 0}, {edge, -1}};
    auto at = std::find(other.begin(), other.end(), block);
    if (at != other.end() && at + 1 != other.end()) {
      if (at[1] == path[i])
        continue;
      difference.edge[1] = graph_.edge(block, at[1]);
      difference.other = flags_json(graph_.flow().edge(difference.edge[1]).flags);
      difference.to[1] = at[1];
    }
    result.push_back(std::move(difference));
  }
  return result;
}

Json prime_path_json(const Function &function, const PrimeGraph &graph, const PrimePath &blocks, uint64_t count,
                     PathFormatter &formatter) {
  Path whole = path_of(graph, blocks);
  Json json = {{"count", count_json(count)},
               {"cycle", is_cycle(blocks)},
               {"blocks", blocks},
               {"statements", statements_of(function, whole)},
               {"lines", line_sequence_text(function, whole, formatter.names())}};
  add_decisions(json, function, whole, formatter);
  return json;
}

} // namespace pathprof
