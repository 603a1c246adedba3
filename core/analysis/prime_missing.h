// SPDX-License-Identifier: GPL-3.0-or-later
// The prime paths that never ran, those nearest to executed ones first.
//
// As for acyclic paths (core/analysis/unexecuted.h) a path's decisions are its edges out of blocks that have several,
// and its distance from an executed one is the number of its decisions that the executed one does not make.  Walks are
// given up where these are too many, so that near ones are found without looking at all.
#ifndef PATHPROF_CORE_ANALYSIS_PRIME_MISSING_H
#define PATHPROF_CORE_ANALYSIS_PRIME_MISSING_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/analysis/prime_paths.h"

namespace pathprof {

struct MissingPrimePath {
  PrimePath path;
  PrimePath nearest;     // executed; of several the one that ran most, the first of these
  uint64_t count = 0;    // how often that ran
  uint32_t distance = 0; // 0: it makes no other decision, but goes on with those that the nearest one begins with

  // Nearer ones come first, then those whose nearest path ran more often, then by blocks.
  bool operator<(const MissingPrimePath &other) const;
};

struct MissingPrimePaths {
  std::vector<MissingPrimePath> paths; // sorted
  bool is_complete = true;             // else the search was ended early: nearer ones than the last may be missing
};

// Whether control can go on from a block in several ways.
bool decides(const PrimeGraph &graph, int block);

// The `limit` nearest ones of those that sequences of `k` paths would show, or all if there are fewer; none if nothing
// was executed.  `effort` is lowered by the number of edges that the search looked at, and ends it at 0.
MissingPrimePaths nearest_missing(const PrimeGraph &graph, const PrimeCounts &executed, uint32_t k, size_t limit,
                                  uint64_t &effort);

} // namespace pathprof

#endif
