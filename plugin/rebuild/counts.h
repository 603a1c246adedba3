// SPDX-License-Identifier: GPL-3.0-or-later
// Measured counts of blocks and edges in place of GCC's estimates.
#ifndef PATHPROF_PLUGIN_REBUILD_COUNTS_H
#define PATHPROF_PLUGIN_REBUILD_COUNTS_H

#include <cstdint>
#include <map>

class edge_def;

namespace pathprof {

// Traversals by edge; an edge that is not named was never traversed.
using MeasuredEdges = std::map<edge_def *, uint64_t>;

// Gives the blocks and edges of `cfun` what was measured, as -fprofile-use does (compute_branch_probabilities in GCC's
// profile.cc): precise counts, probabilities, the status PROFILE_READ, and how often the function and its loops run.
//
// A block ran as often as control came to it.  Where every edge's count is zero the function never ran: counts keep
// their proportions but are known to be zero in the program as a whole.  Under -fprofile-partial-training what did not
// run may run all the same.
void set_counts(const MeasuredEdges &measured);

} // namespace pathprof

#endif
