// SPDX-License-Identifier: GPL-3.0-or-later
// Adds up the paths of a function per edge.
#ifndef PATHPROF_PROFILE_MODEL_SUMS_H
#define PATHPROF_PROFILE_MODEL_SUMS_H

#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// Returns the executed paths of the function, followed by its truncated paths.  If there are very many whole paths,
// returns fewer paths with the same sums on all edges instead (core/analysis/flow_decomposition.h).  `decoded` belongs
// to the function.
std::vector<ExecutedPath> paths_to_add_up(const Function &function, const Decoded &decoded);
// Returns the edge counts of a function with its own paths, computed from these paths.
std::vector<uint64_t> edge_counts(const Function &function, const Decoded &decoded,
                                  const std::vector<ExecutedPath> &paths, const std::vector<double> &estimate);

} // namespace pathprof

#endif
