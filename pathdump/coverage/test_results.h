// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the results of tests from JUnit files, which test runners write.
#ifndef PATHPROF_PATHDUMP_COVERAGE_TEST_RESULTS_H
#define PATHPROF_PATHDUMP_COVERAGE_TEST_RESULTS_H

#include <string>
#include <vector>

namespace pathprof {

struct TestResult {
  std::string name, group; // attributes `name` and `classname`
  std::string result;      // "passed", "failed" or "skipped"

  // Returns true if a recorded test has this name: NAME, GROUP.NAME, GROUP::NAME or FILE::NAME.
  bool is_of(const std::string &test) const;
};

// Reads the files. Throws Failure if one of them is not a JUnit file.
std::vector<TestResult> read_test_results(const std::vector<std::string> &files);

} // namespace pathprof

#endif
