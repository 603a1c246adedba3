// SPDX-License-Identifier: GPL-3.0-or-later
// What to go over where a function's paths are added up edge by edge, or block by block.
#ifndef PATHPROF_PROFILE_MODEL_SUMS_H
#define PATHPROF_PROFILE_MODEL_SUMS_H

#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// The executed paths of the function, those that were cut short last; where the whole ones are very many, a few instead
// of them that add up to the same over every edge (core/analysis/flow_decomposition.h).  `decoded` is the function's
// own.
std::vector<ExecutedPath> paths_to_add_up(const Function &function, const Decoded &decoded);
// Of a function that has paths of its own what edge_counts gives, from these.
std::vector<uint64_t> edge_counts(const Function &function, const Decoded &decoded,
                                  const std::vector<ExecutedPath> &paths, const std::vector<double> &estimate);

} // namespace pathprof

#endif
