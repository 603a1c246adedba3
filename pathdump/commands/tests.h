// SPDX-License-Identifier: GPL-3.0-or-later
// The command 'tests'.
#ifndef PATHPROF_PATHDUMP_COMMANDS_TESTS_H
#define PATHPROF_PATHDUMP_COMMANDS_TESTS_H

#include <functional>

namespace CLI {
class App;
}

namespace pathprof {

// Declares its arguments and gives what runs it.
std::function<int()> declare_tests(CLI::App &command);

} // namespace pathprof

#endif
