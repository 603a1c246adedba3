// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks paths by the runs that executed them.
#include "pathdump/model/fault_localization.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <tuple>

#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/program.h"
#include "profile/model/visible.h"

namespace pathprof {

double ochiai(uint64_t failed, uint64_t total_failed, uint64_t passed) {
  if (failed == 0)
    return 0;
  auto all = static_cast<double>(total_failed), both = static_cast<double>(failed + passed);
  return static_cast<double>(failed) / std::sqrt(all * both);
}

// Returns the square of the Ochiai score, multiplied by the number of failing runs, as a fraction, so that the
// comparison of two scores does not depend on rounding.
static std::pair<unsigned __int128, unsigned __int128> squared_score(const SuspiciousPath &path) {
  return {static_cast<unsigned __int128>(path.failed) * path.failed, std::max<uint64_t>(path.failed + path.passed, 1)};
}

bool SuspiciousPath::operator<(const SuspiciousPath &other) const {
  auto [mine, my_runs] = squared_score(*this);
  auto [theirs, their_runs] = squared_score(other);
  if (mine * their_runs != theirs * my_runs)
    return mine * their_runs > theirs * my_runs;
  return std::tie(passed, other.failed, function_passed, other.has_decisions, other.is_last, other.statements, order,
                  id) < std::tie(other.passed, failed, other.function_passed, has_decisions, is_last, statements,
                                 other.order, other.id);
}

void RunSet::add(size_t run) {
  if (words_.size() <= run / kBits)
    words_.resize(run / kBits + 1);
  words_[run / kBits] |= uint64_t{1} << run % kBits;
}

void RunSet::add(const RunSet &other) {
  if (words_.size() < other.words_.size())
    words_.resize(other.words_.size());
  for (size_t i = 0; i < other.words_.size(); i++)
    words_[i] |= other.words_[i];
}

std::string Runs::key_of(const Function &function) {
  return identity_of(function) + numbers_of(function) + '\0' + std::to_string(positions_checksum(function));
}

std::string Runs::key_of(const Profile &profile, const InterproceduralUnit &unit) {
  return unit.path + '\0' + model_key(profile, unit);
}

// Increments the run count of each executed path. Returns true if any path was executed. Frees the paths, because their
// execution counts are no longer needed.
template <typename Paths>
bool Runs::see(Entry &entry, Paths &paths, bool has_failed) const {
  bool is_any = false;
  for (const auto &path : paths) {
    if (!path.count)
      continue;
    is_any = true;
    (has_failed ? entry.paths[path.id].failed : entry.paths[path.id].passed)++;
    if (keeps_run_sets_)
      entry.runs[path.id].add(last_run());
  }
  paths = {};
  return is_any;
}

// Returns true if the run has no functions in common with the preceding runs. Returns false for the first run.
bool Runs::is_stranger(const Profile &profile) {
  bool is_first = identities_.empty(), is_known = profile.functions.empty();
  std::vector<std::string> own;
  for (const Function &function : profile.functions) {
    own.push_back(identity_of(function));
    is_known |= identities_.count(own.back()) != 0;
  }
  identities_.insert(own.begin(), own.end());
  return !is_first && !is_known;
}

void Runs::add(const std::string &file, bool has_failed, Selection &selection) {
  (has_failed ? num_failed_ : num_passed_)++;
  if (has_failed)
    failed_.add(last_run());
  auto count_run = [&](Entry &entry, bool is_executed) {
    (has_failed ? entry.executed.failed : entry.executed.passed) += is_executed;
  };
  Profile profile = parse_image(file, open_image(file));
  if (!has_warned_ && !warnings_of(profile).empty()) {
    print_warnings(profile, file);
    has_warned_ = true;
  }
  if (is_stranger(profile))
    strangers_.push_back(file);
  selection.add(profile, file);
  for (const Module &module : profile.modules)
    builds_[module.name].insert(module.build_id);
  std::vector<std::pair<size_t, Entry *>> found;
  for (size_t i = 0; i < profile.functions.size(); i++) {
    Function &function = profile.functions[i];
    if (is_left_out(function) || (function.paths.empty() && function.cut_short.empty()))
      continue;
    auto [at, is_new] = entries_.try_emplace(key_of(function));
    // Invalid path IDs are detected here, before they are stored.
    if (is_new)
      found.emplace_back(i, &at->second);
    if (is_new || !function.cut_short.empty())
      decode_or_fail(file, function);
    bool is_executed = see(at->second, function.paths, has_failed);
    count_run(at->second, see(at->second, function.cut_short, has_failed) || is_executed);
  }
  std::vector<Entry *> found_units;
  for (size_t i = 0; i < profile.interprocedural_units.size(); i++) {
    InterproceduralUnit &unit = profile.interprocedural_units[i];
    auto [at, is_new] = units_.try_emplace(key_of(profile, unit));
    at->second.unit = is_new ? i : at->second.unit;
    if (is_new)
      found_units.push_back(&at->second);
    count_run(at->second, see(at->second, unit.paths, has_failed));
  }
  if (found.empty() && found_units.empty())
    return;
  profiles_.push_back(std::move(profile));
  for (auto [index, entry] : found) {
    entry->function = &profiles_.back().functions[index];
    files_[entry->function] = file;
  }
  for (Entry *entry : found_units)
    entry->profile = &profiles_.back();
}

std::vector<std::string> Runs::rebuilt_modules() const {
  std::vector<std::string> modules;
  for (const auto &[module, builds] : builds_)
    if (builds.size() > 1)
      modules.push_back(module);
  return modules;
}

static uint64_t statements_of(const Function &function, const Decoded &decoded, PathWalk &walk, uint64_t id) {
  if (id >= function.notes.num_paths)
    return statements_of(function, *decoded.regenerate(id));
  walk.go_to(id);
  return walk.statements();
}

double Runs::score_of(const SeenIn &seen) const {
  return ochiai(seen.failed, num_failed_, seen.passed);
}

void Runs::add_suspicious_paths_of_function(const Entry &entry, size_t order, double least,
                                            std::vector<SuspiciousPath> &suspicious_paths) const {
  const Function &function = *entry.function;
  std::unique_ptr<Decoded> decoded = decode_or_fail(files_.at(&function), function);
  PathWalk walk(function, *decoded);
  for (const auto &[id, seen] : entry.paths) {
    if (!seen.failed || score_of(seen) < least)
      continue;
    uint64_t statements = statements_of(function, *decoded, walk, id);
    // A truncated path ends at a call that did not return, and other paths can end at a call that never returns.
    bool is_last = id >= function.notes.num_paths ||
                   (walk.last_block() > kExitBlock && function.notes.graph.succs(walk.last_block()).empty());
    suspicious_paths.push_back({score_of(seen), seen.failed, seen.passed, statements, id, &function, order, nullptr, 0,
                                entry.executed.passed, function.notes.num_paths > 1, is_last});
  }
}

void Runs::add_suspicious_interprocedural_paths(const Entry &entry, size_t order, const Names &names, double least,
                                                std::vector<SuspiciousPath> &suspicious_paths) const {
  for (const auto &[id, seen] : entry.paths) {
    if (!seen.failed || score_of(seen) < least)
      continue;
    ShownPath path(*entry.profile, entry.unit, id);
    if (path.is_selected(names))
      suspicious_paths.push_back({score_of(seen), seen.failed, seen.passed, path.statements(), id,
                                  &path.first_function(), order, entry.profile, entry.unit, entry.executed.passed});
  }
}

std::vector<SuspiciousPath> Runs::suspicious_paths(const Names &names, uint64_t limit, double least,
                                                   uint64_t *num_found) const {
  std::vector<const Entry *> entries;
  for (const auto &[key, entry] : entries_)
    if (names.selects(*entry.function))
      entries.push_back(&entry);
  std::stable_sort(entries.begin(), entries.end(), [](const Entry *a, const Entry *b) {
    return std::tie(a->function->file, a->function->notes.line, a->function->notes.name) <
           std::tie(b->function->file, b->function->notes.line, b->function->notes.name);
  });
  std::vector<SuspiciousPath> suspicious_paths;
  size_t order = 0;
  for (const Entry *entry : entries)
    add_suspicious_paths_of_function(*entry, order++, least, suspicious_paths);
  for (const auto &[key, entry] : units_)
    add_suspicious_interprocedural_paths(entry, order++, names, least, suspicious_paths);
  *num_found = suspicious_paths.size();
  keep_best(suspicious_paths, limit);
  std::sort(suspicious_paths.begin(), suspicious_paths.end());
  return suspicious_paths;
}

std::vector<const Profile *> Runs::profiles() const {
  std::vector<const Profile *> profiles;
  for (const Profile &profile : profiles_)
    profiles.push_back(&profile);
  return profiles;
}

const std::string &Runs::file_of(const SuspiciousPath &suspect) const {
  return files_.at(suspect.function);
}

const Profile &Runs::profile_of(const SuspiciousPath &suspect) const {
  auto has = [&](const Profile &profile) {
    const std::vector<Function> &functions = profile.functions;
    return std::less_equal<>()(functions.data(), suspect.function) &&
           std::less<>()(suspect.function, functions.data() + functions.size());
  };
  return suspect.profile ? *suspect.profile : *std::find_if(profiles_.begin(), profiles_.end(), has);
}

SeenIn Runs::seen(const Profile &profile, const HotPath &hot) const {
  const std::map<std::string, Entry> &entries = hot.is_of_program() ? units_ : entries_;
  auto entry = entries.find(hot.is_of_program() ? key_of(profile, profile.interprocedural_units[hot.program])
                                                : key_of(profile.functions[hot.function]));
  if (entry == entries.end())
    return {};
  auto seen = entry->second.paths.find(hot.id);
  return seen == entry->second.paths.end() ? SeenIn() : seen->second;
}

std::vector<uint64_t> Runs::passed_paths(const SuspiciousPath &suspect) const {
  std::vector<uint64_t> paths;
  for (const auto &[id, seen] : entries_.at(key_of(*suspect.function)).paths)
    if (seen.passed && id < suspect.function->notes.num_paths)
      paths.push_back(static_cast<uint64_t>(id));
  std::sort(paths.begin(), paths.end());
  return paths;
}

SeenIn Runs::count(const RunSet &runs) const {
  SeenIn seen;
  for (size_t run = 0; run < num_failed_ + num_passed_; run++)
    if (runs.has(run))
      (failed_.has(run) ? seen.failed : seen.passed)++;
  return seen;
}

void Runs::for_each_function(
    const Names &names,
    const std::function<void(const Function &, const std::string &file, const ExecutedIn &)> &see) const {
  for (const auto &[key, entry] : entries_) {
    if (!names.selects(*entry.function))
      continue;
    ExecutedIn paths;
    for (const auto &[id, runs] : entry.runs)
      paths.emplace_back(id, &runs);
    std::sort(paths.begin(), paths.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    see(*entry.function, files_.at(entry.function), paths);
  }
}

Runs read_runs(const std::vector<std::string> &failed, const std::vector<std::string> &passed, Selection &selection) {
  Runs runs;
  for (const std::string &file : failed)
    runs.add(file, true, selection);
  for (const std::string &file : passed)
    runs.add(file, false, selection);
  for (const std::string &file : runs.strangers())
    std::cerr
        << program_name << ": warning: " << visible(file)
        << " has no functions in common with the preceding runs; check that it is a profile of the same program\n";
  for (const std::string &module : runs.rebuilt_modules())
    std::cerr << program_name << ": note: the runs used several builds of " << module
              << "; a function that differs between builds is treated as a separate function for each build\n";
  return runs;
}

} // namespace pathprof
