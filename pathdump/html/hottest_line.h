// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the most characteristic source line of a path: the line with the most executed statements.
#ifndef PATHPROF_PATHDUMP_HTML_HOTTEST_LINE_H
#define PATHPROF_PATHDUMP_HTML_HOTTEST_LINE_H

#include <cstdint>
#include <optional>
#include <string>

#include "pathdump/model/interprocedural_paths.h"
#include "profile/model/profile.h"

namespace pathprof::html {

struct SourceLine {
  const Function *function;
  std::string file; // name of the file in the function's notes
  uint32_t line;
};

// Returns the line with the most statements on the path, excluding the path's context. The statements of a block are
// distributed evenly over its lines. If several lines have the same number of statements, returns the line that comes
// first on the path. The line that declares the function is returned only if there is no other line. Returns nothing if
// no block has a line.
std::optional<SourceLine> hottest_line(const Function &function, const Path &path);
std::optional<SourceLine> hottest_line(const ShownPath &path);

} // namespace pathprof::html

#endif
