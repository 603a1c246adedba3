// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the prime paths that were not executed and are nearest to executed prime paths.
//
// As for acyclic paths (core/analysis/unexecuted.h), the decisions of a path are its edges out of blocks with several
// out-edges.  The distance from an executed path is the number of decisions that the executed path does not contain.  A
// walk with too many such decisions is abandoned, so near paths are found without visiting all paths.
#ifndef PATHPROF_CORE_ANALYSIS_PRIME_MISSING_H
#define PATHPROF_CORE_ANALYSIS_PRIME_MISSING_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/prime_paths.h"

namespace pathprof {

struct MissingPrimePath {
  PrimePath path;
  PrimePath nearest;     // nearest executed path; the most frequent path, and then the first, in case of a tie
  uint64_t count = 0;    // execution count of `nearest`
  uint32_t distance = 0; // 0 if the nearest path contains all decisions of the path

  // Orders paths by increasing distance, then by decreasing count of the nearest executed path, and then by their block
  // numbers.
  bool operator<(const MissingPrimePath &other) const;
};

struct MissingPrimePaths {
  std::vector<MissingPrimePath> paths; // in sorted order
  bool is_complete = true;             // false if the search was stopped early, so `paths` may omit nearer paths
};

// Returns true if the block has several out-edges.
bool decides(const PrimeGraph &graph, int block);

// Returns up to `limit` prime paths that were not executed, starting with the paths that are nearest to executed paths.
// Only prime paths that fit in a sequence of `k` acyclic paths are considered.  If nothing was executed, returns no
// paths.  `effort` is decremented for each visited edge, and the search stops when it reaches 0.
MissingPrimePaths nearest_missing(const PrimeGraph &graph, const PrimeCounts &executed, uint32_t k, size_t limit,
                                  uint64_t &effort);

} // namespace pathprof

#endif
