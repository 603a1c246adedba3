// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces GCC's estimates of block and edge counts with measured counts.
#ifndef PATHPROF_PLUGIN_REBUILD_COUNTS_H
#define PATHPROF_PLUGIN_REBUILD_COUNTS_H

#include <cstdint>
#include <map>

class edge_def;

namespace pathprof {

// Number of traversals of each edge. Edges that are not in the map were never traversed.
using MeasuredEdges = std::map<edge_def *, uint64_t>;

// Sets the counts of the blocks and edges of `cfun`, as -fprofile-use does (compute_branch_probabilities in GCC's
// profile.cc): precise counts, probabilities, the status PROFILE_READ, and the frequencies of the function and its
// loops.
//
// The count of a block is the number of times that control entered it. If all edge counts are zero, the function was
// never executed. With -fno-profile-partial-training, or if the function is known to be cold, the counts keep their
// proportions but are marked as zero for the whole program. Otherwise, the counts are not changed, and the result is
// false. Similarly, blocks that were not executed in an executed function receive guessed counts (untrained.h).
bool set_counts(const MeasuredEdges &measured);

} // namespace pathprof

#endif
