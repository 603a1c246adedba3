// SPDX-License-Identifier: GPL-3.0-or-later
// Copying joins on hot paths (rebuild=thread).
#ifndef PATHPROF_PLUGIN_REBUILD_THREAD_H
#define PATHPROF_PLUGIN_REBUILD_THREAD_H

#include <cstdint>

#include "plugin/rebuild/replay.h"

namespace pathprof {

// Where paths that ran at least `hot` times come to a join, and GCC's ranger proves that the path they came by decides
// a branch further on: gives that path copies of the blocks from the join to the branch, so that later passes fold it.
// Hottest paths first, within a budget (thread.cc).  `cfun` must have measured counts; they are no longer right where
// anything was copied (CopiedCfg::replay).
void thread_paths(CopiedCfg &cfg, uint64_t hot);

} // namespace pathprof

#endif
