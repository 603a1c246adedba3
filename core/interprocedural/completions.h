// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the numbers of valid completions that callers pass to callees, if they are compile-time constants.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_COMPLETIONS_H
#define PATHPROF_CORE_INTERPROCEDURAL_COMPLETIONS_H

#include <optional>
#include <vector>

#include "core/interprocedural/interprocedural.h"
#include "core/numbering/wide.h"

namespace pathprof {

// Returns, for each procedure, the number of valid completions of a path from the procedure's EXIT, or nothing if this
// number depends on the caller.  With mode=piecewise, no numbers are returned, because a path that starts inside a
// procedure has a different number of completions.
std::vector<std::optional<WideNumber>> known_completions(const SupergraphNumbering &numbering);

} // namespace pathprof

#endif
