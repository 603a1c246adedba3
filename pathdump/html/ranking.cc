// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks functions and paths in a single pass over all executed paths.
#include "pathdump/html/ranking.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "core/numbering/saturate.h"
#include "pathdump/model/families.h"
#include "pathdump/model/path_cursor.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/ui/opening.h"

namespace pathprof::html {

namespace {

constexpr uint64_t kHottest = 200;   // number of paths in the list of hot paths
constexpr uint64_t kOfFunction = 20; // number of paths per function, in addition to paths on other lists
constexpr uint64_t kSequences = 60;
constexpr uint64_t kFewest = 40; // minimum number of detailed functions, if that many were executed
constexpr size_t kBatch = 512;   // number of paths by which a list may temporarily exceed its limit

class Ranker {
public:
  Ranker(const Profile &profile, const std::string &file, const Names &names, Decoder &decoder, const Limits &limits,
         const ListedPaths &listed, const Basis &basis)
      : profile_(profile), file_(file), names_(names), decoder_(decoder), limits_(limits), listed_(listed) {
    ranking_.basis = basis;
  }

  Ranking run() {
    for (size_t i = 0; i < profile_.functions.size(); i++)
      add_function(i);
    for (size_t i = 0; i < profile_.interprocedural_units.size(); i++)
      add_program(i);
    keep_best(ranking_.hottest, kHottest);
    std::sort(ranking_.hottest.begin(), ranking_.hottest.end());
    if (std::any_of(profile_.functions.begin(), profile_.functions.end(),
                    [](const Function &function) { return !function.forest.empty(); }))
      ranking_.sequences = hot_sequences(profile_, file_, names_, kSequences);
    give_listed_paths();
    sort();
    choose_detailed();
    return std::move(ranking_);
  }

private:
  void add_function(size_t index) {
    const Function &function = profile_.functions[index];
    bool is_selected = names_.selects(function);
    if (is_left_out(function)) {
      if (is_selected)
        ranking_.left_out.push_back(&function);
      return;
    }
    RankedFunction ranked;
    ranked.index = index;
    HottestPaths hottest(kHottest); // a single function can contain all of the hottest paths
    if (!function.paths.empty() || !function.cut_short.empty() || function.activity)
      ranked.totals = for_each_path(function, index, *decode_or_fail(file_, function), ranking_.basis.ranking(),
                                    [&](const HotPath &hot) {
                                      ranked.weight += hot.weight;
                                      ranked.num_executed++;
                                      if (is_selected)
                                        hottest.add(hot);
                                    });
    ranking_.num_paths += ranked.num_executed;
    if (function.activity) {
      ranked.weight = ranking_.basis.costs ? static_cast<Weight>(std::llround(ranking_.basis.costs->of_function(index)))
                      : ranking_.basis.by_cycles ? 0
                                                 : function.activity->statements;
      ranked.num_executed = function.activity->num_paths;
    } else {
      saturating_add(ranking_.executions, ranked.totals.executions);
    }
    ranking_.weight += ranked.weight;
    ranking_.statements += ranked.totals.statements;
    if (!is_selected)
      return;
    ranked.paths = hottest.take();
    for (const HotPath &hot : ranked.paths)
      add(ranking_.hottest, hot, kHottest);
    keep_best(ranked.paths, kOfFunction);
    of_index_[index] = ranking_.functions.size();
    ranking_.functions.push_back(std::move(ranked));
  }

  static void add(std::vector<HotPath> &paths, const HotPath &hot, uint64_t limit) {
    paths.push_back(hot);
    if (paths.size() > limit + kBatch)
      keep_best(paths, limit);
  }

  RankedFunction *find(size_t index) {
    auto at = of_index_.find(index);
    return at == of_index_.end() ? nullptr : &ranking_.functions[at->second];
  }

  // Adds each path of an interprocedural unit to the path lists of the functions that the path goes through after its
  // context.
  void add_program(size_t index) {
    std::map<size_t, std::vector<HotPath>> of_function;
    uint64_t executions = for_each_path(
        profile_, index,
        [&](HotPath hot, const ShownPath &path) {
          if (ranking_.basis.by_cycles)
            hot.weight = 0;
          if (path.is_selected(names_))
            add(ranking_.hottest, hot, kHottest);
          std::set<size_t> passed;
          for (size_t step = path.path().prefix_len; step < path.path().steps.size(); step++)
            passed.insert(
                path.interprocedural_unit().functions[static_cast<size_t>(path.path().steps[step].procedure)]);
          for (size_t function : passed)
            if (RankedFunction *ranked = find(function))
              add(ranked->paths, hot, kOfFunction);
        },
        ranking_.basis.costs);
    saturating_add(ranking_.executions, executions);
    ranking_.num_paths += profile_.interprocedural_units[index].paths.size();
  }

  void note_calls(const InterproceduralUnit &unit, WideNumber id) {
    InterproceduralPath path = *unit.regenerate(id);
    for (const PathStep &step : path.steps)
      on_calls_.insert(unit.functions[static_cast<size_t>(step.procedure)]);
  }

  // Returns the number of statements of a path on the leading list, or nothing if the path is not on the list.
  std::optional<uint64_t> listed(size_t function, uint64_t id) const {
    auto paths = listed_.find(function);
    if (paths == listed_.end())
      return std::nullopt;
    auto path = paths->second.find(id);
    return path == paths->second.end() ? std::nullopt : std::optional(path->second);
  }

  // Adds the paths that appear in other lists of the page to the path lists of their functions.
  void give_listed_paths() {
    std::map<size_t, std::set<uint64_t>> wanted;
    for (const HotPath &hot : ranking_.hottest)
      if (hot.is_of_program())
        note_calls(profile_.interprocedural_units[hot.program], hot.id);
      else
        wanted[hot.function].insert(hot.id);
    for (const Sequence &sequence : ranking_.sequences)
      wanted[sequence.function].insert(sequence.paths.begin(), sequence.paths.end());
    for (const auto &[function, paths] : listed_)
      for (const auto &path : paths)
        wanted[function].insert(path.first);
    for (RankedFunction &ranked : ranking_.functions) {
      keep_best(ranked.paths, kOfFunction);
      std::set<uint64_t> missing = wanted[ranked.index];
      for (const HotPath &hot : ranked.paths)
        missing.erase(hot.id);
      if (!missing.empty())
        for_each_path(profile_.functions[ranked.index], ranked.index, decoder_.decoded(ranked.index),
                      ranking_.basis.ranking(), [&](const HotPath &hot) {
                        if (missing.erase(hot.id))
                          ranked.paths.push_back(hot);
                      });
      for (uint64_t id : missing) // paths that were never executed
        if (std::optional<uint64_t> statements = listed(ranked.index, id))
          ranked.paths.push_back({0, 0, std::nullopt, *statements, ranked.index, id});
      std::sort(ranked.paths.begin(), ranked.paths.end());
    }
  }

  // Sets the key and call count of each function, and sorts the functions. The key is the assembler name. If several
  // functions have the same name, the function's index in the profile is appended.
  void sort() {
    Families families(profile_, file_);
    std::map<std::string, int> names;
    for (const Function &function : profile_.functions)
      names[function.notes.name]++;
    for (RankedFunction &ranked : ranking_.functions) {
      const std::string &name = profile_.functions[ranked.index].notes.name;
      ranked.calls = families.calls(profile_.functions[ranked.index], ranked.totals.calls);
      ranked.key = names[name] == 1 ? name : fmt::format("{}@{}", name, ranked.index);
    }
    std::stable_sort(ranking_.functions.begin(), ranking_.functions.end(),
                     [](const RankedFunction &a, const RankedFunction &b) {
                       return std::tie(a.weight, a.totals.executions) > std::tie(b.weight, b.totals.executions);
                     });
  }

  // Selects the functions to show in detail: the hottest functions, until these account for the requested percentage of
  // the total weight, and all functions on hot interprocedural paths.
  void choose_detailed() {
    double of_selected = 0, sum = 0;
    for (const RankedFunction &ranked : ranking_.functions)
      of_selected += static_cast<double>(ranked.weight);
    uint64_t number = 0;
    for (RankedFunction &ranked : ranking_.functions) {
      bool is_enough = number >= kFewest && per_cent(sum, of_selected) >= limits_.top;
      bool is_called = on_calls_.count(ranked.index) || listed_.count(ranked.index);
      if (ranked.totals.executions == 0 || (is_enough && !is_called))
        continue;
      if (limits_.number && number == limits_.number)
        break;
      ranked.is_detailed = true;
      sum += static_cast<double>(ranked.weight);
      number++;
    }
  }

  const Profile &profile_;
  const std::string &file_;
  const Names &names_;
  Decoder &decoder_;
  const Limits &limits_;
  const ListedPaths &listed_;
  Ranking ranking_;
  std::set<size_t> on_calls_;         // functions on the hottest interprocedural paths
  std::map<size_t, size_t> of_index_; // index in the ranking, by index in the profile
};

} // namespace

Ranking rank(const Profile &profile, const std::string &file, const Names &names, Decoder &decoder,
             const Limits &limits, const ListedPaths &listed, const Basis &basis) {
  return Ranker(profile, file, names, decoder, limits, listed, basis).run();
}

} // namespace pathprof::html
