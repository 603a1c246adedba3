// SPDX-License-Identifier: GPL-3.0-or-later
// Formats commands that users can copy from a message into a shell.
#ifndef PATHPROF_PATHDUMP_UI_SHELL_H
#define PATHPROF_PATHDUMP_UI_SHELL_H

#include <string>

namespace pathprof {

// Returns the word quoted for the shell if necessary, with nonprintable characters escaped.
std::string quoted_word(const std::string &word);

} // namespace pathprof

#endif
