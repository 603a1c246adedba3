// SPDX-License-Identifier: GPL-3.0-or-later
// Makes test runners name their tests, so that the runtime records each test separately.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_TEST_NAMES_H
#define PATHPROF_PATHDUMP_WORKFLOW_TEST_NAMES_H

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pathdump/workflow/child.h"
#include "pathdump/workflow/folder.h"

namespace pathprof {

// Temporary files that make a test runner set PATHPROF_TEST to the name of each test. The destructor removes them.
class TestNames {
public:
  // If the child process is a test runner (CTest, Meson, Automake's make check, or pytest), changes its command and its
  // environment so that it sets PATHPROF_TEST to the name of each test. Changes nothing if PATHPROF_TEST is already
  // set.
  explicit TestNames(Child &child);
  ~TestNames();
  TestNames(const TestNames &) = delete;
  TestNames &operator=(const TestNames &) = delete;

private:
  void name_in_ctest(Child &child);
  void name_in_meson(Child &child);
  void name_in_make(Child &child);
  void name_in_pytest(Child &child);
  void add_python_module(Child &child, const std::string &name, std::string_view text);

  ScratchFolder scratch_;
  // For CTest: pairs of an original directory and a directory of links to its files. CTest runs in the first directory
  // of links.
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> links_;
};

} // namespace pathprof

#endif
