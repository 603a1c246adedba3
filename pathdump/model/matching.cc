// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the counterparts of functions and interprocedural units.
#include "pathdump/model/matching.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "profile/model/source_names.h"

namespace pathprof {

std::string conditions_of(const FunctionNotes &notes) {
  std::string key;
  for (const BranchNotes &branch : notes.branches) {
    key +=
        fmt::format(",{}.{}{}", branch.block, static_cast<int>(branch.relation), static_cast<int>(branch.text.sense));
    for (const CaseLabels &edge : branch.cases)
      for (const CaseLabel &label : edge.labels)
        key += fmt::format(":{}-{}", label.low, label.high);
  }
  return key;
}

namespace {

class Matcher {
public:
  Matcher(const Profile &a, const Profile &b, const Names &names) : sides_{&a, &b}, names_(names) {
    for (int side : {0, 1})
      for (size_t i = 0; i < functions(side).size(); i++) {
        open_[side].insert(i);
        paths_[side].insert(names_.mapped(functions(side)[i].path));
      }
  }

  // Returns the pairs in the order of profile B, followed by the functions that only profile A contains.
  std::vector<Pair> run() {
    auto model = [this](int side, size_t i) {
      return numbers_of(functions(side)[i]) + conditions_of(functions(side)[i].notes);
    };
    auto name = [this](int side, size_t i) { return key_of(side, i); };
    auto identity = [this](int side, size_t i) {
      return key_of(side, i) + ':' + std::to_string(functions(side)[i].notes.line);
    };
    auto shown = [this](int side, size_t i) { return key_by_shown_file(side, i); };
    // Complete paths can be compared by path ID even if one of the functions has exact termination and the other
    // function has basic termination. This can happen with mode=preferential.
    auto whole = [this](int side, size_t i) {
      const Function &function = functions(side)[i];
      bool is_exact = function.notes.flags & kExactTermination;
      return numbers_of_whole_paths(function) + conditions_of(function.notes) + (is_exact == (side == 0) ? "+" : "-");
    };
    are_of_one_tree_ = are_of_one_tree();
    pair_up(
        [&](int side, size_t i) {
          return identity(side, i) + model(side, i) + std::to_string(positions_checksum(functions(side)[i]));
        },
        false);
    pair_up([&](int side, size_t i) { return identity(side, i) + model(side, i); }, false);
    pair_up([&](int side, size_t i) { return name(side, i) + model(side, i); }, false);
    pair_up([&](int side, size_t i) { return identity(side, i) + whole(side, i); }, false);
    pair_up([&](int side, size_t i) { return name(side, i) + whole(side, i); }, false);
    pair_up(name, true);
    auto shown_with = [&](auto &numbers) {
      return [&](int side, size_t i) {
        std::string key = shown(side, i);
        return key.empty() ? key : key + numbers(side, i);
      };
    };
    pair_up(shown_with(model), false);
    pair_up(shown_with(whole), false);
    pair_up(shown, true);
    for (int side : {0, 1})
      for (size_t i : open_[side])
        pairs_.push_back(side ? Pair{{kNoFunction, i}} : Pair{{i, kNoFunction}});
    std::stable_sort(pairs_.begin(), pairs_.end(), [](const Pair &x, const Pair &y) {
      return std::make_pair(x.function[1], x.function[0]) < std::make_pair(y.function[1], y.function[0]);
    });
    return std::move(pairs_);
  }

private:
  const std::vector<Function> &functions(int side) const { return sides_[side]->functions; }

  std::string key_of(int side, size_t i) const {
    const Function &function = functions(side)[i];
    return name_and_path(function.notes, names_.mapped(function.path));
  }

  // Returns true if a file that was compiled under a relative name has the same path in both profiles. Otherwise, the
  // program may have been built in two directories.
  bool are_of_one_tree() const {
    std::set<std::string> paths[2];
    for (int side : {0, 1})
      for (const std::unique_ptr<UnitSources> &unit : sides_[side]->sources)
        for (size_t i = 0; i < unit->names.size(); i++)
          if (is_relative_source(unit->names[i]))
            paths[side].insert(names_.mapped(unit->paths[i]));
    return std::any_of(paths[0].begin(), paths[0].end(), [&](const std::string &path) { return paths[1].count(path); });
  }

  // Returns a key for matching functions whose files have different paths in the two profiles, or an empty string if
  // the function cannot be matched. Externally visible functions are identified by name and by the last component of
  // the path. Static functions are identified by name and by the printed name of the file, which is unique within a
  // profile. If other files have the same path in both profiles, this requires that the function's file occurs in only
  // one of them: the tree was copied, and only some of its files were compiled again.
  std::string key_by_shown_file(int side, size_t i) const {
    const Function &function = functions(side)[i];
    bool is_visible = function.notes.flags & kExternallyVisible;
    if (!is_visible && are_of_one_tree_ && paths_[1 - side].count(names_.mapped(function.path)))
      return {};
    return name_and_path(function.notes, is_visible ? std::filesystem::path(function.path).filename().string()
                                                    : names_.mapped(function.file));
  }

  // Pairs functions with equal keys, in the order of the profiles. Functions with an empty key are not paired.
  template <typename Key>
  void pair_up(Key &&key, bool has_changed) {
    std::map<std::string, std::vector<size_t>> by_key;
    for (size_t i : open_[0])
      by_key[key(0, i)].push_back(i);
    by_key.erase("");
    std::vector<Pair> found;
    for (size_t i : open_[1]) {
      auto at = by_key.find(key(1, i));
      if (at == by_key.end() || at->second.empty())
        continue;
      found.push_back({{at->second.front(), i}, has_changed});
      at->second.erase(at->second.begin());
    }
    for (const Pair &pair : found)
      for (int side : {0, 1})
        open_[side].erase(pair.function[side]);
    pairs_.insert(pairs_.end(), found.begin(), found.end());
  }

  const Profile *sides_[2];
  const Names &names_;
  std::set<size_t> open_[2];
  std::set<std::string> paths_[2]; // source files of the functions
  bool are_of_one_tree_ = false;
  std::vector<Pair> pairs_;
};

class ProgramMatcher {
public:
  ProgramMatcher(const Profile &a, const Profile &b, const Names &names) : sides_{&a, &b}, names_(names) {
    for (int side : {0, 1})
      for (size_t i = 0; i < programs(side).size(); i++) {
        open_[side].insert(i);
        paths_[side].insert(path_of(side, i));
      }
  }

  // Returns the pairs in the order of profile B, followed by the units that only profile A contains.
  std::vector<Pair> run() {
    std::vector<Pair> pairs;
    for (size_t i : open_[1]) {
      Pair pair{{kNoFunction, i}, false, true};
      std::vector<size_t> found = candidates(i);
      auto same = std::find_if(found.begin(), found.end(), [&](size_t one) { return model(0, one) == model(1, i); });
      if (!found.empty()) {
        pair.function[0] = same != found.end() ? *same : found.front();
        pair.has_changed = same == found.end();
        open_[0].erase(pair.function[0]);
      }
      pairs.push_back(pair);
    }
    for (size_t i : open_[0])
      pairs.push_back({{i, kNoFunction}, false, true});
    return pairs;
  }

private:
  const std::vector<InterproceduralUnit> &programs(int side) const { return sides_[side]->interprocedural_units; }
  std::string path_of(int side, size_t i) const { return names_.mapped(programs(side)[i].path); }
  std::string model(int side, size_t i) const { return model_key(*sides_[side], programs(side)[i]); }

  // Returns the units of A that have the same source file as unit `i` of B. If the source files of two units have
  // different paths and neither path occurs in the other profile, the units are compared by their printed file names.
  std::vector<size_t> candidates(size_t i) const {
    std::vector<size_t> found;
    bool has_path = paths_[0].count(path_of(1, i));
    for (size_t one : open_[0])
      if (has_path ? path_of(0, one) == path_of(1, i)
                   : !paths_[1].count(path_of(0, one)) &&
                         names_.file(programs(0)[one].source) == names_.file(programs(1)[i].source))
        found.push_back(one);
    return found;
  }

  const Profile *sides_[2];
  const Names &names_;
  std::set<size_t> open_[2];
  std::set<std::string> paths_[2];
};

} // namespace

std::vector<Pair> match_functions(const Profile &a, const Profile &b, const Names &names) {
  return Matcher(a, b, names).run();
}

std::vector<Pair> match_programs(const Profile &a, const Profile &b, const Names &names) {
  return ProgramMatcher(a, b, names).run();
}

} // namespace pathprof
