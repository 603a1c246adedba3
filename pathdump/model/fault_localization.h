// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks paths by suspiciousness: failing runs execute suspicious paths more often than passing runs do.
//
// The score of a path is the Ochiai score f / sqrt(F (f + p)), where f of F failing runs and p passing runs executed
// the path at least once. The score is 1 for a path that all failing runs and no passing run executed, and 0 for a path
// that no failing run executed.
#ifndef PATHPROF_PATHDUMP_MODEL_FAULT_LOCALIZATION_H
#define PATHPROF_PATHDUMP_MODEL_FAULT_LOCALIZATION_H

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pathdump/model/hot.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/selection.h"
#include "profile/model/profile.h"

namespace pathprof {

double ochiai(uint64_t failed, uint64_t total_failed, uint64_t passed);

struct SuspiciousPath {
  double score;
  uint64_t failed; // number of failing runs that executed the path
  uint64_t passed;
  uint64_t statements;
  WideNumber id;
  const Function *function; // for an interprocedural path, the function in which it starts
  size_t order;             // index of the function, sorted by file, line and name; interprocedural units follow
  const Profile *profile;   // profile that contains the interprocedural unit; null for a path within a function
  size_t unit;
  uint64_t function_passed = 0; // number of passing runs that executed the function or interprocedural unit
  bool has_decisions = true;    // false if the function has only one path
  bool is_last = false;         // true if control did not leave the path normally, so the run probably ended there

  // Sorts by decreasing score, then by increasing number of passing runs and decreasing number of failing runs. A path
  // that no passing run executed shows a cause of some failures, whereas a path that all runs executed shows nothing.
  // Paths that are still equal are sorted by increasing number of passing runs that executed the function. Paths with
  // decisions precede other paths, paths at the end of the run precede earlier paths, and longer paths precede shorter
  // paths, because they describe the failing runs more precisely.
  bool operator<(const SuspiciousPath &other) const;
};

// A set of runs.
class RunSet {
public:
  void add(size_t run);
  void add(const RunSet &other);
  bool has(size_t run) const { return run / kBits < words_.size() && words_[run / kBits] >> run % kBits & 1; }

private:
  static constexpr size_t kBits = 64;
  std::vector<uint64_t> words_;
};

// Number of failing runs and number of passing runs that executed a path.
struct SeenIn {
  uint32_t failed = 0;
  uint32_t passed = 0;
};

// Reads runs one at a time, so only one profile is in memory. The notes of each function are stored only once.
class Runs {
public:
  // With `keeps_run_sets`, the object stores for each path which runs executed it, for for_each_function().
  explicit Runs(bool keeps_run_sets = false) : keeps_run_sets_(keeps_run_sets) {}

  // Adds a run. Each file counts as one run, even if it is the sum of several runs.
  void add(const std::string &file, bool has_failed, Selection &selection);

  // Returns the profiles in which the functions of all runs are stored.
  std::vector<const Profile *> profiles() const;

  uint64_t num_failed() const { return num_failed_; }
  uint64_t num_passed() const { return num_passed_; }
  // Returns the modules for which the runs used more than one build. Functions that differ between these builds are not
  // compared.
  std::vector<std::string> rebuilt_modules() const;
  // Returns the runs that have no functions in common with the preceding runs.
  const std::vector<std::string> &strangers() const { return strangers_; }

  // Returns the `limit` most suspicious paths (0: all) with a score of at least `least` in the functions that `names`
  // selects. Sets *num_found to the number of such paths, regardless of the limit.
  std::vector<SuspiciousPath> suspicious_paths(const Names &names, uint64_t limit, double least,
                                               uint64_t *num_found) const;
  const std::string &file_of(const SuspiciousPath &suspect) const;
  // Returns the profile of a run that contains the path's function or interprocedural unit.
  const Profile &profile_of(const SuspiciousPath &suspect) const;
  // Returns how many failing and passing runs executed a path of `profile`. The profile can be the sum of the runs.
  SeenIn seen(const Profile &profile, const HotPath &hot) const;
  // Return a key that identifies a function or an interprocedural unit, and its model, in all runs.
  static std::string key_of(const Function &function);
  static std::string key_of(const Profile &profile, const InterproceduralUnit &unit);
  // Returns the IDs of all paths that passing runs executed in the function of `suspect`, in increasing order.
  // Truncated paths are excluded.
  std::vector<uint64_t> passed_paths(const SuspiciousPath &suspect) const;

  // Counts the failing and passing runs in a set.
  SeenIn count(const RunSet &runs) const;
  // Calls `see` for every executed function that `names` selects, with its executed paths and the runs that executed
  // them. Functions in interprocedural units are omitted.
  using ExecutedIn = std::vector<std::pair<WideNumber, const RunSet *>>;
  void for_each_function(
      const Names &names,
      const std::function<void(const Function &, const std::string &file, const ExecutedIn &)> &see) const;

private:
  struct Hash {
    size_t operator()(WideNumber id) const { return static_cast<size_t>(id ^ id >> 64); }
  };
  struct Entry {
    const Function *function = nullptr;
    const Profile *profile = nullptr; // profile that contains the interprocedural unit
    size_t unit = 0;
    SeenIn executed = {}; // runs that executed any path
    std::unordered_map<WideNumber, SeenIn, Hash> paths = {};
    std::unordered_map<WideNumber, RunSet, Hash> runs = {};
  };

  bool is_stranger(const Profile &profile);
  // The number of the run that was added last.
  size_t last_run() const { return num_failed_ + num_passed_ - 1; }
  template <typename Paths>
  bool see(Entry &entry, Paths &paths, bool has_failed) const;
  void add_suspicious_paths_of_function(const Entry &entry, size_t order, double least,
                                        std::vector<SuspiciousPath> &suspicious_paths) const;
  void add_suspicious_interprocedural_paths(const Entry &entry, size_t order, const Names &names, double least,
                                            std::vector<SuspiciousPath> &suspicious_paths) const;
  double score_of(const SeenIn &seen) const;

  std::deque<Profile> profiles_; // profiles from which functions are stored, without counts
  std::map<const Function *, std::string> files_;
  std::map<std::string, Entry> entries_;                // functions by identity and model
  std::map<std::string, Entry> units_;                  // interprocedural units by source file and model
  std::map<std::string, std::set<std::string>> builds_; // build IDs by module
  std::set<std::string> identities_; // identities of all functions, including functions that were not executed
  std::vector<std::string> strangers_;
  RunSet failed_; // failing runs
  bool keeps_run_sets_;
  bool has_warned_ = false; // true if a warning about counts was printed
  uint64_t num_failed_ = 0;
  uint64_t num_passed_ = 0;
};

// Reads the runs from the files, failing runs first. Prints a note to standard error for each module with several
// builds.
Runs read_runs(const std::vector<std::string> &failed, const std::vector<std::string> &passed, Selection &selection);

} // namespace pathprof

#endif
