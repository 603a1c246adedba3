// SPDX-License-Identifier: GPL-3.0-or-later
// The line of a path that says best what it does: the one that executes most statements.
#ifndef PATHPROF_PATHDUMP_HTML_HOTTEST_H
#define PATHPROF_PATHDUMP_HTML_HOTTEST_H

#include <cstdint>
#include <optional>
#include <string>

#include "pathdump/model/interprocedural_paths.h"
#include "profile/model/profile.h"

namespace pathprof::html {

struct SourceLine {
  const Function *function;
  std::string file; // as the function's notes call it
  uint32_t line;
};

// A block's statements are shared out evenly among its lines.  Of equal lines the one that comes first on the path;
// the line that the function is declared in only if it is
// the only one; nothing where no block has a line.  Of a path's context no line counts.
std::optional<SourceLine> hottest_line(const Function &function, const Path &path);
std::optional<SourceLine> hottest_line(const ShownPath &path);

} // namespace pathprof::html

#endif
