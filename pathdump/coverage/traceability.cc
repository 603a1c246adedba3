// SPDX-License-Identifier: GPL-3.0-or-later
// Traces requirements to tests and to the paths that the tests executed.
#include "pathdump/coverage/traceability.h"

#include <regex>

namespace pathprof {

std::set<std::string> tags_of(const std::string &test) {
  static const std::regex pattern(
      "(^|[^A-Za-z0-9])([A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*-[0-9]+(?:\\.[0-9]+)*)(?![A-Za-z0-9]|-[0-9])");
  std::set<std::string> tags;
  for (std::sregex_iterator at(test.begin(), test.end(), pattern), end; at != end; ++at)
    tags.insert(at->str(2));
  return tags;
}

std::map<std::string, TracedRequirement> trace_requirements(const TestedPaths &tested) {
  std::map<std::string, TracedRequirement> requirements;
  for (size_t i = 0; i < tested.tests.size(); i++)
    for (const std::string &tag : tags_of(tested.tests[i].name)) {
      TracedRequirement &requirement = requirements[tag];
      requirement.tests.push_back(i);
      for (const auto &[item, count] : tested.tests[i].paths)
        requirement.items.insert(item);
    }
  return requirements;
}

} // namespace pathprof
