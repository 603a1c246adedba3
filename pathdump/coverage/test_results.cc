// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the results of tests from JUnit files, which test runners write.
#include "pathdump/coverage/test_results.h"

#include <fmt/format.h>
#include <pugixml.hpp>

#include "pathdump/ui/failure.h"

namespace pathprof {

namespace {

const char *result_of(const pugi::xml_node &test) {
  if (test.child("failure") || test.child("error"))
    return "failed";
  std::string status = test.attribute("status").value();
  return test.child("skipped") || status == "notrun" || status == "disabled" ? "skipped" : "passed";
}

void add_tests(const pugi::xml_node &suite, std::vector<TestResult> &results) {
  for (const pugi::xml_node &test : suite.children("testcase"))
    results.push_back({test.attribute("name").value(), test.attribute("classname").value(), result_of(test)});
  for (const pugi::xml_node &inner : suite.children("testsuite"))
    add_tests(inner, results);
}

} // namespace

bool TestResult::is_of(const std::string &test) const {
  if (test == name || test == group + "." + name || test == group + "::" + name)
    return true;
  size_t colon = test.rfind("::");
  return colon != std::string::npos && test.substr(colon + 2) == name;
}

std::vector<TestResult> read_test_results(const std::vector<std::string> &files) {
  std::vector<TestResult> results;
  for (const std::string &file : files) {
    pugi::xml_document document;
    pugi::xml_parse_result parsed = document.load_file(file.c_str());
    if (parsed.status == pugi::status_file_not_found)
      throw Failure(kBadData, fmt::format("{}: cannot be read", file));
    pugi::xml_node suites = document.child("testsuites"), suite = document.child("testsuite");
    if (!parsed || (!suites && !suite))
      throw Failure(kBadData,
                    fmt::format("{}: not a JUnit file; expected the root element testsuites or testsuite", file));
    add_tests(suites ? suites : static_cast<pugi::xml_node>(document), results);
  }
  return results;
}

} // namespace pathprof
