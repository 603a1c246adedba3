// SPDX-License-Identifier: GPL-3.0-or-later
// Paths that failing runs take more than passing ones.
//
// The measure is Ochiai's, f / sqrt(F (f + p)): f of F failing runs and p passing runs executed the path, however
// often.  It is 1 for what all failing runs and no passing one did, and 0 for what no failing run did.
#ifndef PATHPROF_PATHDUMP_MODEL_FAULT_LOCALIZATION_H
#define PATHPROF_PATHDUMP_MODEL_FAULT_LOCALIZATION_H

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "pathdump/model/hot.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/selection.h"
#include "profile/model/profile.h"

namespace pathprof {

double ochiai(uint64_t failed, uint64_t total_failed, uint64_t passed);

struct SuspiciousPath {
  double score;
  uint64_t failed; // runs
  uint64_t passed;
  uint64_t statements;
  WideNumber id;
  const Function *function; // of a program's path: where it begins
  size_t order;             // of the function, by file, line and name; programs follow
  const Profile *profile;   // that has the program; null for a function's path
  size_t program;

  // The more suspicious come first.  Of equal scores, those of more failing runs, of fewer passing runs, and
  // of fewer statements: they say more closely where the difference lies.
  bool operator<(const SuspiciousPath &other) const;
};

// How many runs executed a path.
struct SeenIn {
  uint32_t failed = 0;
  uint32_t passed = 0;
};

// Runs one after the other; only one profile is in memory, and each function's notes once.
class Runs {
public:
  // Each file counts as one run, whatever has been merged into it.
  void add(const std::string &file, bool has_failed, Selection &selection);

  // Those that have the functions.
  std::vector<const Profile *> profiles() const;

  uint64_t num_failed() const { return num_failed_; }
  uint64_t num_passed() const { return num_passed_; }
  // Modules that the runs have several builds of: what differs between them is not compared.
  std::vector<std::string> rebuilt_modules() const;
  // Those of no function that a run before them has.
  const std::vector<std::string> &strangers() const { return strangers_; }

  // The `limit` most suspicious paths (0: all) of the functions that `names` selects with at least this score;
  // *num_found says how many there are.
  std::vector<SuspiciousPath> suspicious_paths(const Names &names, uint64_t limit, double least,
                                               uint64_t *num_found) const;
  const std::string &file_of(const SuspiciousPath &suspect) const;
  // The run that has the suspect's function, or program.
  const Profile &profile_of(const SuspiciousPath &suspect) const;
  // The runs that executed a path of this profile, which may be the sum of them.
  SeenIn seen(const Profile &profile, const HotPath &hot) const;
  // What functions, and programs, of one kind have in common that runs were added with: by what they are found.
  static std::string key_of(const Function &function);
  static std::string key_of(const Profile &profile, const InterproceduralUnit &program);
  // Paths of a function's suspect that passing runs took, by increasing number, without those that were cut short.
  std::vector<uint64_t> passed_paths(const SuspiciousPath &suspect) const;

private:
  struct Hash {
    size_t operator()(WideNumber id) const { return static_cast<size_t>(id ^ id >> 64); }
  };
  struct Entry {
    const Function *function = nullptr;
    const Profile *profile = nullptr; // of a program
    size_t program = 0;
    std::unordered_map<WideNumber, SeenIn, Hash> paths = {};
  };

  bool is_stranger(const Profile &profile);
  template <typename Paths>
  static void see(Entry &entry, Paths &paths, bool has_failed);
  void add_suspicious_paths_of_function(const Entry &entry, size_t order, double least,
                                        std::vector<SuspiciousPath> &suspicious_paths) const;
  void add_suspicious_interprocedural_paths(const Entry &entry, size_t order, const Names &names, double least,
                                            std::vector<SuspiciousPath> &suspicious_paths) const;
  double score_of(const SeenIn &seen) const;

  std::deque<Profile> profiles_; // those that brought a function, without their counts
  std::map<const Function *, std::string> files_;
  std::map<std::string, Entry> entries_;                // by identity and model
  std::map<std::string, Entry> programs_;               // by source file and model
  std::map<std::string, std::set<std::string>> builds_; // by module
  std::set<std::string> identities_;                    // of all functions, also of those that did not run
  std::vector<std::string> strangers_;
  bool has_warned_ = false; // about counts of some run
  uint64_t num_failed_ = 0;
  uint64_t num_passed_ = 0;
};

// The runs of the files, of which the failing ones are read first; says on standard error of which modules they have
// several builds.
Runs read_runs(const std::vector<std::string> &failed, const std::vector<std::string> &passed, Selection &selection);

} // namespace pathprof

#endif
