// SPDX-License-Identifier: GPL-3.0-or-later
// From a numbering to a plan: spanning tree, chord increments, placement (Ball and Larus 1996,
// sections 3.3 and 3.4; event counting after Ball, "Efficiently Counting Program Events with Support
// for On-line Queries", TOPLAS 1994).
#ifndef PATHPROF_CORE_PLAN_PLACEMENT_H
#define PATHPROF_CORE_PLAN_PLACEMENT_H

#include <cstdint>
#include <vector>

#include "core/numbering/path_graph.h"
#include "core/plan/plan.h"

namespace pathprof {

// What path-graph edges weigh for the tree, as multiples of their frequency.  Code on a cut edge sets and counts
// anyway, and an increment folds into both; so a surrogate weighs nothing, unless that lets the register be set
// or the path be counted elsewhere at less cost.  Which of these is best depends on the function.
struct TreePolicy {
  double start = 0;    // surrogates to blocks that no other edge enters
  double end = 0;      // surrogates from blocks where several paths end
  double critical = 1; // edges on which code needs a block of its own
};

// Those to choose from: one, or all that may be best.
std::vector<TreePolicy> tree_policies(bool try_all);

// Which path-graph edges are in a maximum spanning tree.  EXIT→ENTRY counts as a tree edge.  Surrogates to
// `late_starts` are in the tree before all others: the register is then set as far behind these blocks as can be.  So
// are those from `early_ends`, where they are the only successors: paths can then be counted above these blocks.
std::vector<char> maximum_spanning_tree(const PathGraph &paths, const TreePolicy &policy = {},
                                        const std::vector<int> &late_starts = {},
                                        const std::vector<char> &early_ends = {});

template <typename Val>
struct IncrementsOf {
  // Inc of every chord, 0 for tree edges: the sum over any walk to EXIT equals the sum of `vals`.
  std::vector<Val> of_edge;
  // By how much the sum over a walk falls behind the sum of `vals` when it is at a node.
  std::vector<Val> deficit_at;
};
using Increments = IncrementsOf<int64_t>;

// Of int64_t or WideNumber.
template <typename Val>
IncrementsOf<Val> chord_increments(const PathGraph &paths, const std::vector<char> &in_tree,
                                   const std::vector<Val> &vals);

struct PlacementOptions {
  // Try several tree policies.  Where they move counts up, a path is counted above more of the calls that may
  // not return.
  bool try_policies = true;
  // Move counts up towards the last chord, where the increment folds into the counter's address.  Off
  // where a count is a call: then each extra place costs more than an addition.
  bool hoist_counts = true;
  // For exact termination: the blocks with calls at which a path may be cut short.  Then the register is
  // set before and the path is counted behind them.  Empty: none matters.
  std::vector<char> calls = {};
  // Blocks that counts are not moved up out of, and that the register is set before.  Empty: none.
  std::vector<char> barriers = {};
  // Heads of loops that are surely left by their edges, or not at all: counting can wait until then.  Empty: none.
  std::vector<char> counted_loops = {};
  // Set the register where a path begins and count it, at the register, where it ends: for what is measured in
  // between.
  bool at_ends = false;
  // Blocks that counts are moved up out of whatever `hoist_counts` says: with nothing added, the compiler copies them.
  // Empty: none.
  std::vector<char> copied = {};
};

// Places initialisation, updates and counts (Figure 8).  The counting pass runs first and the
// initialising pass stops where it meets a count: on the one walk without a chord the two would
// otherwise cross.
Plan place(const PathGraph &paths, const std::vector<char> &in_tree, const std::vector<int64_t> &increments,
           const PlacementOptions &options = {});

// What a plan costs by the edges' frequencies, in operations.
double cost_of(const Plan &plan, const FlowGraph &graph);

} // namespace pathprof

#endif
