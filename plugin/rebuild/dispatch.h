// SPDX-License-Identifier: GPL-3.0-or-later
// Giving handlers of an interpreter a dispatch of their own (rebuild=dispatch).
#ifndef PATHPROF_PLUGIN_REBUILD_DISPATCH_H
#define PATHPROF_PLUGIN_REBUILD_DISPATCH_H

#include <cstdint>
#include <vector>

#include "plugin/rebuild/replay.h"

namespace pathprof {

// In loops whose head leads to a switch, sequences of paths say which case follows which.  Where a hot path around the
// loop is mostly followed by one case, it gets copies of what it shares with others from there to the switch, within a
// budget (dispatch.cc).  Returns the copied switches' blocks.  The remarks on counts at thread_paths apply.
std::vector<basic_block_def *> copy_dispatch(CopiedCfg &cfg, uint64_t hot);

// Puts a test for the likeliest case before each of these switches, whose blocks must have measured counts.
void peel_likely_cases(const std::vector<basic_block_def *> &switches);

} // namespace pathprof

#endif
