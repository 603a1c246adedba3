// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the command `tests`.
#ifndef PATHPROF_PATHDUMP_COMMANDS_TESTS_H
#define PATHPROF_PATHDUMP_COMMANDS_TESTS_H

#include <functional>

namespace CLI {
class App;
}

namespace pathprof {

// Adds the arguments of `tests` to `command` and returns a function that runs the command.
std::function<int()> declare_tests(CLI::App &command);

} // namespace pathprof

#endif
