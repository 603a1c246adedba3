// SPDX-License-Identifier: GPL-3.0-or-later
// Duplicates join blocks on hot paths (rebuild=thread).
#ifndef PATHPROF_PLUGIN_REBUILD_THREAD_H
#define PATHPROF_PLUGIN_REBUILD_THREAD_H

#include <cstdint>

#include "plugin/rebuild/replay.h"

namespace pathprof {

// Duplicates join blocks on paths that were executed at least `hot` times. If GCC's ranger proves that the path to a
// join decides a later branch, the path receives its own copies of the blocks from the join to the branch, and later
// passes fold the copied branch. The hottest paths are processed first, until a budget is spent (thread.cc). `cfun`
// must have measured counts. If a block was copied, these counts are no longer valid (CopiedCfg::replay).
void thread_paths(CopiedCfg &cfg, uint64_t hot);

} // namespace pathprof

#endif
