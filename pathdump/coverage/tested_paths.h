// SPDX-License-Identifier: GPL-3.0-or-later
// Which tests executed which paths, from profiles that tell tests apart (profile/format/tests.h) and from files of one
// test each.
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

// What tests are compared by: executed paths, effects of conditions (tested_criteria.h), executed prime paths.
enum class Criterion { Paths, Conditions, PrimePaths };

struct Test {
  std::string name; // fit to be shown
  uint64_t runs = 0;
  uint64_t processor_time = 0; // microseconds; 0: not known
  uint64_t elapsed_time = 0;
  std::vector<std::pair<uint32_t, uint64_t>> paths; // index in TestedPaths::paths, which increases, and count
};

// A path that some test executed, of a function or of a program; or what it covers by another criterion.
struct TestedPath {
  size_t function = 0; // index in the profile; of a program's path that of the program
  WideNumber id = 0;   // of an effect Effect::number()
  bool is_of_program = false;
  PrimePath prime = {}; // of a prime path
};

inline Effect effect_of(const TestedPath &effect) {
  return Effect::of_number(static_cast<uint64_t>(effect.id));
}

struct TestedPaths {
  Criterion criterion = Criterion::Paths;
  Profile profile;               // of which functions and numbers tell; its counts may be those of some files only
  std::vector<TestedPath> paths; // by function and number, those of programs last
  std::vector<Test> tests;       // by name
  bool tells_apart = false;      // some file tells tests apart
  uint64_t num_elsewhere = 0;    // executions of paths that belong to no test, in files that tell tests apart

  // What the tests have of the paths.
  SetSystem system() const;
};

// Reads the files; a test of one name in several of them is one test, and a file that tells no tests apart is one test
// with the file's name.  Only functions that `options` select count, of programs those that go through one of them.
// Throws Failure,
// also where nothing that is selected is measured by the criterion.
TestedPaths read_tested_paths(const std::vector<std::string> &files, Criterion criterion, const CommonOptions &options);

// The tests of a profile that was opened before; nothing where it tells no tests apart.  Repeats no warnings.
std::optional<TestedPaths> read_tests_of(const std::string &file, const CommonOptions &options);

// The path as rows show it.
HotPath hot_path_of(const TestedPath &path);

} // namespace pathprof

#endif
