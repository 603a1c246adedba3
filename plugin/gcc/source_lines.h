// SPDX-License-Identifier: GPL-3.0-or-later
// The text of source files, without what is no code.
#ifndef PATHPROF_PLUGIN_GCC_SOURCE_LINES_H
#define PATHPROF_PLUGIN_GCC_SOURCE_LINES_H

#include <string>
#include <vector>

namespace pathprof {

// The lines of a file, which is read once; none where it cannot be read.  Blanks are in the place of comments, letters in
// that of literals.
const std::vector<std::string> &code_lines_of(const std::string &file);

} // namespace pathprof

#endif
