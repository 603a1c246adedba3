// SPDX-License-Identifier: GPL-3.0-or-later
// Provides the code of source files without comments and literals.
#ifndef PATHPROF_PLUGIN_GCC_SOURCE_LINES_H
#define PATHPROF_PLUGIN_GCC_SOURCE_LINES_H

#include <string>
#include <vector>

namespace pathprof {

// Returns the lines of a file, or an empty list if the file cannot be read. Blanks replace comments, and letters
// replace literals. Each file is read only once.
const std::vector<std::string> &code_lines_of(const std::string &file);

} // namespace pathprof

#endif
