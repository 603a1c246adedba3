// SPDX-License-Identifier: GPL-3.0-or-later
// Text of a C or C++ program without what is no code.
#ifndef PATHPROF_PROFILE_MODEL_MASKED_H
#define PATHPROF_PROFILE_MODEL_MASKED_H

#include <string>

namespace pathprof {

// The same length, with letters in the place of literals and blanks in that of comments and line breaks.  The text may
// begin within a comment.
std::string masked(const std::string &text);

} // namespace pathprof

#endif
