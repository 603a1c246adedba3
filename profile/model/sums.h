// SPDX-License-Identifier: GPL-3.0-or-later
// Computes edge counts from the paths of a function.
#ifndef PATHPROF_PROFILE_MODEL_SUMS_H
#define PATHPROF_PROFILE_MODEL_SUMS_H

#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// Returns the executed paths of the function, followed by its truncated paths.  A very large number of whole (not
// truncated) paths is replaced with fewer paths that result in the same edge counts
// (core/analysis/flow_decomposition.h).  `decoded` is the decoded form of `function`.
std::vector<ExecutedPath> paths_to_add_up(const Function &function, const Decoded &decoded);
// Returns the edge counts of a function that counts its own paths, computed from `paths`.
std::vector<uint64_t> edge_counts(const Function &function, const Decoded &decoded,
                                  const std::vector<ExecutedPath> &paths, const std::vector<double> &estimate);

} // namespace pathprof

#endif
