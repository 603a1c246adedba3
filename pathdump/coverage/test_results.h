// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the results of tests from JUnit files, which test runners write.
#ifndef PATHPROF_PATHDUMP_COVERAGE_TEST_RESULTS_H
#define PATHPROF_PATHDUMP_COVERAGE_TEST_RESULTS_H

#include <map>
#include <string>
#include <vector>

namespace pathprof {

// Maps the names of tests to "passed", "failed" or "skipped". A test is listed as NAME, CLASS.NAME and CLASS::NAME. If
// several tests have the same name, the result is "failed" if one of them failed, and otherwise "passed" if one of them
// passed.
using TestResults = std::map<std::string, std::string>;

// Reads the files. Throws Failure if one of them is not a JUnit file.
TestResults read_test_results(const std::vector<std::string> &files);

} // namespace pathprof

#endif
