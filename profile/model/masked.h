// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces the parts of a C or C++ source text that are not code.
#ifndef PATHPROF_PROFILE_MODEL_MASKED_H
#define PATHPROF_PROFILE_MODEL_MASKED_H

#include <string>

namespace pathprof {

// Returns a copy of `text`, with the same length, in which literals are replaced with letters, and comments and line
// breaks with blanks. `text` may start within a comment.
std::string masked(const std::string &text);

} // namespace pathprof

#endif
