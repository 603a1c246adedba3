// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of valid completions that callers pass to callees, where they are known when the program is compiled.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_COMPLETIONS_H
#define PATHPROF_CORE_INTERPROCEDURAL_COMPLETIONS_H

#include <optional>
#include <vector>

#include "core/interprocedural/interprocedural.h"
#include "core/numbering/wide.h"

namespace pathprof {

// By procedure: the completions from its EXIT, where all that call it agree on them.  Of piecewise profiles none: a
// path may begin inside, where other completions count.
std::vector<std::optional<WideNumber>> known_completions(const SupergraphNumbering &numbering);

} // namespace pathprof

#endif
