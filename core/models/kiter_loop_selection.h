// SPDX-License-Identifier: GPL-3.0-or-later
// Selects the number of iterations that the paths of each loop span.
#ifndef PATHPROF_CORE_MODELS_KITER_LOOP_SELECTION_H
#define PATHPROF_CORE_MODELS_KITER_LOOP_SELECTION_H

#include <cstdint>
#include <vector>

#include "core/models/path_model.h"

namespace pathprof {

// Selects k for each loop, up to the value that `wanted` returns, and returns the loops with k > 1.  The path graph has
// at most `limit` paths and kMaxCopies copies of blocks.  Loops are processed in order of decreasing frequency, but all
// outer loops are processed before other loops.
std::vector<LoopIterations> choose_iterations(const FlowGraph &graph, Numbering numbering, uint64_t limit,
                                              const WantedIterations &wanted);

// Assigns to each loop the iteration count that `wanted` returns for it, and returns these loops.  The number of paths
// is not limited.
std::vector<LoopIterations> wanted_iterations(const FlowGraph &graph, const WantedIterations &wanted);

} // namespace pathprof

#endif
