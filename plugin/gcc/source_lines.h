// SPDX-License-Identifier: GPL-3.0-or-later
// The text of source files.
#ifndef PATHPROF_PLUGIN_GCC_SOURCE_LINES_H
#define PATHPROF_PLUGIN_GCC_SOURCE_LINES_H

#include <string>
#include <vector>

namespace pathprof {

// The lines of a file, which is read once; none where it cannot be read.
const std::vector<std::string> &lines_of(const std::string &file);

} // namespace pathprof

#endif
