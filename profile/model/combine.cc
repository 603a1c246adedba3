// SPDX-License-Identifier: GPL-3.0-or-later
// Adds up the counts of a function that several units contain.
#include "profile/model/combine.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/numbering/saturate.h"
#include "profile/model/sorted_sum.h"

namespace pathprof {

namespace {

// Returns the sum of two forests.  The nodes of all three forests are in preorder.
Forest sum_of(const Forest &a, const Forest &b) {
  struct Walk {
    const Forest &forest;
    size_t at = 0;
    std::vector<uint64_t> labels = {};
    bool load() {
      if (at == forest.size())
        return false;
      labels.resize(forest[at].depth - 1);
      labels.push_back(forest[at].id);
      return true;
    }
  };
  Walk walks[2] = {{a}, {b}};
  bool loaded[2] = {walks[0].load(), walks[1].load()};
  Forest sum;
  std::vector<uint32_t> open;
  while (loaded[0] || loaded[1]) {
    bool in[2] = {loaded[0] && (!loaded[1] || walks[0].labels <= walks[1].labels),
                  loaded[1] && (!loaded[0] || walks[1].labels <= walks[0].labels)};
    const Walk &first = walks[!in[0]];
    uint32_t depth = static_cast<uint32_t>(first.labels.size());
    open.resize(depth - 1);
    uint32_t parent = open.empty() ? ForestNode::kNone : open.back();
    open.push_back(static_cast<uint32_t>(sum.size()));
    sum.push_back({parent, depth, first.labels.back(), 0});
    for (int s = 0; s < 2; s++)
      if (in[s]) {
        saturating_add(sum.back().count, walks[s].forest[walks[s].at].count);
        walks[s].at++;
        loaded[s] = walks[s].load();
      }
  }
  return sum;
}

void add_paths(std::vector<ExecutedPath> &to, const std::vector<ExecutedPath> &from) {
  add_sorted(
      to, from, [](const ExecutedPath &path) { return path.id; },
      [](ExecutedPath &sum, const ExecutedPath &path) {
        saturating_add(sum.count, path.count);
        saturating_add(sum.cycles, path.cycles);
      });
}

// Adds the interesting paths in `from` to `to`.  A path that is marked as interesting in any unit is interesting in the
// sum.
void add_interesting(std::vector<InterestingPath> &to, const std::vector<InterestingPath> &from) {
  std::map<uint64_t, uint64_t> counts;
  for (const auto *paths : {&std::as_const(to), &from})
    for (const InterestingPath &path : *paths)
      counts[path.id] = std::max(counts[path.id], path.count);
  to.clear();
  for (auto [id, count] : counts)
    to.push_back({id, count});
}

// Adds the values of `from`, unless `from` comes from a different build with different value sites.
void add_values_of(Function &to, const Function &from) {
  if (to.notes.values.empty())
    to.notes.values = from.notes.values;
  if (have_same_values(to.notes, from.notes))
    add_values(to.values, from.values);
}

bool has_run(const Function &function) {
  return !function.paths.empty() || !function.cut_short.empty();
}

} // namespace

void add_counts(Function &to, const Function &from) {
  to.num_stray_cycles += from.num_stray_cycles;
  saturating_add(to.measuring, from.measuring);
  add_interesting(to.notes.interesting, from.notes.interesting);
  add_paths(to.paths, from.paths);
  add_paths(to.cut_short, from.cut_short);
  add_values_of(to, from);
  to.forest = sum_of(to.forest, from.forest);
  to.is_pruned |= from.is_pruned;
}

// Returns the lines of the function, without inlined code.
static std::set<std::pair<std::string, uint32_t>> own_lines(const Function &function) {
  std::set<std::pair<std::string, uint32_t>> lines;
  for (const BlockNotes &block : function.notes.blocks)
    for (const LineRef &position : block.lines)
      if (!position.site)
        lines.emplace(function.sources->paths[position.file], position.line);
  return lines;
}

// Returns the indices in `variants` of the variants that were not executed and whose lines are all in variants that
// were.
static std::set<size_t> shadows_among(const std::vector<Function> &functions, const std::vector<size_t> &variants) {
  std::set<std::pair<std::string, uint32_t>> executed;
  for (size_t i : variants)
    if (has_run(functions[i]))
      executed.merge(own_lines(functions[i]));
  std::set<size_t> shadows;
  for (size_t i : variants) {
    if (executed.empty() || has_run(functions[i]) || functions[i].in_program)
      continue;
    auto lines = own_lines(functions[i]);
    if (std::includes(executed.begin(), executed.end(), lines.begin(), lines.end()))
      shadows.insert(i);
  }
  return shadows;
}

void drop_shadows(std::vector<Function> &functions) {
  std::map<std::string, std::vector<size_t>> variants; // indices of weak functions, by identity
  for (size_t i = 0; i < functions.size(); i++)
    if (functions[i].notes.flags & kWeak)
      variants[identity_of(functions[i])].push_back(i);
  std::set<size_t> shadows;
  for (const auto &[identity, bodies] : variants)
    if (bodies.size() > 1)
      shadows.merge(shadows_among(functions, bodies));
  std::vector<Function> kept;
  for (size_t i = 0; i < functions.size(); i++)
    if (!shadows.count(i))
      kept.push_back(std::move(functions[i]));
  functions = std::move(kept);
}

} // namespace pathprof
