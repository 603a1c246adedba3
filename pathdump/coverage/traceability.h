// SPDX-License-Identifier: GPL-3.0-or-later
// Traces requirements to tests and to the paths that the tests executed.
#ifndef PATHPROF_PATHDUMP_COVERAGE_TRACEABILITY_H
#define PATHPROF_PATHDUMP_COVERAGE_TRACEABILITY_H

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pathdump/coverage/tested_paths.h"

namespace pathprof {

// The tests of a requirement, and all items that they execute.
struct TracedRequirement {
  std::vector<size_t> tests; // indices in TestedPaths::tests, ascending
  std::set<uint32_t> items;  // indices in TestedPaths::paths
};

// Returns the tags in the name of a test: one or more words of capital letters and digits that begin with a letter, and
// a number, joined by hyphens, such as "REQ-12" and "SYS-REQ-7".  Further numbers can follow after dots, as in
// "REQ-1.2".  The characters before and after a tag are not letters or digits, so "test1-REQ-5" and "foo.REQ-5-empty"
// contain "REQ-5".  "REQ-5-1" contains no tag.
std::set<std::string> tags_of(const std::string &test);

// Returns the requirements that test names mention, by tag.
std::map<std::string, TracedRequirement> trace_requirements(const TestedPaths &tested);

} // namespace pathprof

#endif
