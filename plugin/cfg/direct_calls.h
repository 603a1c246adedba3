// SPDX-License-Identifier: GPL-3.0-or-later
// Which functions a function calls by name.
#ifndef PATHPROF_PLUGIN_CFG_DIRECT_CALLS_H
#define PATHPROF_PLUGIN_CFG_DIRECT_CALLS_H

#include <vector>

#include "profile/model/notes.h"

namespace pathprof {

// Of `cfun`, whose blocks are numbered without gaps; by block and in the order of execution.
std::vector<DirectCall> read_direct_calls();

} // namespace pathprof

#endif
