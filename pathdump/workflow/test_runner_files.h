// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the files in test_runners, which the build embeds in the program.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_TEST_RUNNER_FILES_H
#define PATHPROF_PATHDUMP_WORKFLOW_TEST_RUNNER_FILES_H

#include <string_view>

namespace pathprof {

extern const std::string_view ctest_file, meson_file, pytest_file;

} // namespace pathprof

#endif
