// SPDX-License-Identifier: GPL-3.0-or-later
// Selects the number of iterations that the paths of each loop span.
#ifndef PATHPROF_CORE_MODELS_KITER_LOOP_SELECTION_H
#define PATHPROF_CORE_MODELS_KITER_LOOP_SELECTION_H

#include <cstdint>
#include <vector>

#include "core/models/path_model.h"

namespace pathprof {

// Returns the loops of the model.  Each iterable loop gets the largest k, up to the value that `wanted` returns, with
// which the graph has at most `limit` paths and kMaxCopies copies.  Outer loops for which `wanted` returns more than 1
// come first; otherwise, loops that are executed more often come first.
std::vector<LoopIterations> choose_iterations(const FlowGraph &graph, Numbering numbering, uint64_t limit,
                                              const WantedIterations &wanted);

// Returns the loops with all iterations that `wanted` requests, regardless of the number of paths.
std::vector<LoopIterations> wanted_iterations(const FlowGraph &graph, const WantedIterations &wanted);

} // namespace pathprof

#endif
