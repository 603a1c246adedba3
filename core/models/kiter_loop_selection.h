// SPDX-License-Identifier: GPL-3.0-or-later
// How many iterations the paths of each loop span.
#ifndef PATHPROF_CORE_MODELS_KITER_LOOP_SELECTION_H
#define PATHPROF_CORE_MODELS_KITER_LOOP_SELECTION_H

#include <cstdint>
#include <vector>

#include "core/models/path_model.h"

namespace pathprof {

// The loops of the model: each of the iterable loops gets the largest k, at most what `wanted` says of it, with
// which the graph has no more than `limit` paths and kMaxCopies copies; those that run most come first.  Before them
// come contractible loops around others of which more than 1 is wanted.
std::vector<LoopIterations> choose_iterations(const FlowGraph &graph, Numbering numbering, uint64_t limit,
                                              const WantedIterations &wanted);

// All that is wanted, whatever the number of paths.
std::vector<LoopIterations> wanted_iterations(const FlowGraph &graph, const WantedIterations &wanted);

} // namespace pathprof

#endif
