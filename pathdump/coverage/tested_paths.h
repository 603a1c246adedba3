// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the paths that each test executed, from profiles that distinguish tests (profile/format/tests.h) and from
// profiles of one test each.
#ifndef PATHPROF_PATHDUMP_COVERAGE_TESTED_PATHS_H
#define PATHPROF_PATHDUMP_COVERAGE_TESTED_PATHS_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/prime_paths.h"
#include "core/analysis/set_cover.h"
#include "pathdump/coverage/tested_criteria.h"
#include "pathdump/model/hot.h"
#include "pathdump/ui/options.h"
#include "profile/model/profile.h"

namespace pathprof {

// The items by which tests are compared: executed paths, effects of conditions (tested_criteria.h), executed prime
// paths, or executed lines.
enum class Criterion { Paths, Conditions, PrimePaths, Lines };

struct Test {
  std::string name; // display name
  uint64_t runs = 0;
  uint64_t processor_time = 0; // in microseconds; 0: not known
  uint64_t elapsed_time = 0;
  std::vector<std::pair<uint32_t, uint64_t>> paths; // index in TestedPaths::paths, ascending, and execution count
};

// An item that a test covers. Depending on the criterion, the item is a path of a function or interprocedural unit, an
// effect of a condition, a prime path, or a line.
struct TestedPath {
  // Index of the function, or of the interprocedural unit, in the profile. For a line, index of the file in
  // TestedPaths::files.
  size_t function = 0;
  WideNumber id = 0; // path ID, Effect::number() of an effect, or number of a line
  bool is_of_program = false;
  PrimePath prime = {}; // the prime path, if the criterion is prime paths
};

inline Effect effect_of(const TestedPath &effect) {
  return Effect::of_number(static_cast<uint64_t>(effect.id));
}

struct TestedPaths {
  Criterion criterion = Criterion::Paths;
  Profile profile; // profile with all functions and path IDs; it may contain the counts of some files only
  std::vector<TestedPath> paths;  // sorted by function and ID; interprocedural paths last
  std::vector<std::string> files; // names of the files that contain the lines, if the criterion is lines
  std::vector<Test> tests;        // sorted by name
  bool tells_apart = false;       // true if a file distinguishes tests
  uint64_t num_elsewhere = 0;     // executions outside of any test, in files that distinguish tests

  // Returns the set of paths of each test.
  SetSystem system() const;
};

// Reads the files. Tests with the same name in different files are combined. A file without counts per test is treated
// as a single test named after the file. Reads only the functions that `options` selects, and the interprocedural units
// that contain a selected function. Throws Failure if a file is invalid, or if the criterion is not applicable to any
// of the functions.
TestedPaths read_tested_paths(const std::vector<std::string> &files, Criterion criterion, const CommonOptions &options);

// Returns the tests of a profile, or nothing if the profile contains no counts per test. Prints no warnings, because
// opening the profile has already printed them.
std::optional<TestedPaths> read_tests_of(const std::string &file, const CommonOptions &options);

// Returns the path as a HotPath, for printing.
HotPath hot_path_of(const TestedPath &path);

} // namespace pathprof

#endif
