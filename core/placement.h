// SPDX-License-Identifier: GPL-3.0-or-later
// From a numbering to a plan: spanning tree, chord increments, placement (Ball and Larus 1996,
// sections 3.3 and 3.4; event counting after Ball, "Efficiently Counting Program Events with Support
// for On-line Queries", TOPLAS 1994).
#ifndef PATHPROF_CORE_PLACEMENT_H
#define PATHPROF_CORE_PLACEMENT_H

#include <cstdint>
#include <vector>

#include "core/path_graph.h"
#include "core/plan.h"

namespace pathprof {

// Which path-graph edges are in a maximum spanning tree over edge frequencies.  EXIT→ENTRY counts as a
// tree edge.  Surrogates weigh nothing: the code on a cut edge sets and counts anyway, and an increment
// folds into both.
std::vector<char> maximum_spanning_tree(const PathGraph &paths);

// Inc of every chord, 0 for tree edges: the sum over any walk equals the sum of `vals`.
std::vector<int64_t> chord_increments(const PathGraph &paths, const std::vector<char> &in_tree,
                                      const std::vector<int64_t> &vals);

struct PlacementOptions {
  // Move counts up towards the last chord, where the increment folds into the counter's address.  Off
  // where a count is a call: then each extra place costs more than an addition.
  bool hoist_counts = true;
  // Count no path before it is over: where a block's last call may also leave over an abnormal edge, the
  // count moves from before the call to the ordinary edges behind it.
  bool end_behind_calls = false;
};

// The plan for exact termination: no spanning tree, so that the register holds the sum of `vals` from a
// path's start at every point of it, and every path is counted on its last edge.  A path that a call cuts
// short then has a number (core/prefix.h).
Plan place_exact(const PathGraph &paths, const std::vector<int64_t> &vals);

// Places initialisation, updates and counts (Figure 8).  The counting pass runs first and the
// initialising pass stops where it meets a count: on the one walk without a chord the two would
// otherwise cross.
Plan place(const PathGraph &paths, const std::vector<char> &in_tree,
           const std::vector<int64_t> &increments, const PlacementOptions &options = {});

} // namespace pathprof

#endif
