// SPDX-License-Identifier: GPL-3.0-or-later
// Lists the functions that a function calls directly.
#ifndef PATHPROF_PLUGIN_CFG_DIRECT_CALLS_H
#define PATHPROF_PLUGIN_CFG_DIRECT_CALLS_H

#include <vector>

#include "profile/model/notes.h"

namespace pathprof {

// Returns the direct calls in `cfun`, ordered by block and, within a block, in execution order. The blocks must be
// numbered without gaps.
std::vector<DirectCall> read_direct_calls();

} // namespace pathprof

#endif
