// SPDX-License-Identifier: GPL-3.0-or-later
// Provides the code of source files without comments and literals.
#ifndef PATHPROF_PLUGIN_GCC_SOURCE_LINES_H
#define PATHPROF_PLUGIN_GCC_SOURCE_LINES_H

#include <string>
#include <vector>

namespace pathprof {

// Returns the lines of a file, or an empty list if the file cannot be read. Comments are replaced with blanks, and
// literals with letters. Each file is read only once.
const std::vector<std::string> &code_lines_of(const std::string &file);

} // namespace pathprof

#endif
