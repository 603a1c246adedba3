// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that users may copy from a message into their shell.
#ifndef PATHPROF_PATHDUMP_UI_SHELL_H
#define PATHPROF_PATHDUMP_UI_SHELL_H

#include <string>

namespace pathprof {

// Returns the word as a shell reads it, in quotes if need be, and fit to be shown.
std::string quoted_word(const std::string &word);

} // namespace pathprof

#endif
