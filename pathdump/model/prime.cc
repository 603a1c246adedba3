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

// Maximum numbers of edges to examine when counting the prime paths of a function, and when searching for its missing
// prime paths.  Examining this many edges takes a fraction of a second.
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

// The parts of a phrase that describes a path. The phrase does not name the start of the path.
struct PathPhrase {
  std::string decisions; // "take 11:T 13:F left", or empty if there are no outcomes
  std::string loops;     // "go around the loop at line 8", or empty if the path contains no back edges

  std::string join(const char *of_loops, const char *of_decisions) const {
    std::string text = loops.empty() ? loops : loops + of_loops;
    if (!decisions.empty())
      text += (text.empty() ? "" : " and ") + decisions + of_decisions;
    return text.empty() ? "continue without a decision" : text;
  }
};

static PathPhrase phrase_of(const Function &function, const Path &path, PathFormatter &formatter) {
  const FlowGraph &flow = function.notes.graph;
  const Branches &branches = formatter.branches(function);
  PathPhrase phrase;
  for (int e : path.edges)
    if (flow.edge(e).flags & kBack)
      phrase.loops += (phrase.loops.empty() ? "go around the loop at line " : " and the loop at line ") +
                      branches.start(flow.edge(e).dst);
  std::vector<Decision> decisions = decisions_of(branches, path);
  decisions.erase(
      std::remove_if(decisions.begin(), decisions.end(), [](const Decision &d) { return d.outcome.empty(); }),
      decisions.end());
  bool named_own_file = true;
  if (!decisions.empty())
    phrase.decisions = "take " + formatter.shown(formatter.elements(function, decisions, named_own_file));
  return phrase;
}

std::string FunctionPrimePaths::needed(const MissingPrimePath &missing, PathFormatter &formatter) const {
  const Branches &branches = formatter.branches(*function_);
  const PrimePath &path = missing.path, &nearest = missing.nearest;
  if (size_t end = end_of_nearest(missing)) {
    PrimePath rest(path.begin() + static_cast<ptrdiff_t>(end), path.end());
    return "after the nearest path, " + phrase_of(*function_, this->path(rest), formatter).join(" once more", " again");
  }
  Path whole = this->path(path);
  PathPhrase phrase = phrase_of(*function_, whole, formatter);
  if (whole.start != PathStart::Entry)
    return fmt::format("after line {}, {}", branches.start(path.front()), phrase.join("", ""));
  auto joint = std::find_if(path.begin(), path.end(), [&](int block) {
    return std::find(nearest.begin(), nearest.end(), block) != nearest.end();
  });
  if (joint == path.end() || joint + 1 == path.end() || !phrase.loops.empty())
    return "from the start of the function, " + phrase.join("", "");
  bool is_skipped = branches.leaves_loop(graph_.edge(joint[0], joint[1]));
  return fmt::format("{} the loop at line {}, {}",
                     is_skipped ? "before the first iteration of" : "in the first iteration of", branches.start(*joint),
                     phrase.join("", ""));
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
