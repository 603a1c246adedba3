// SPDX-License-Identifier: GPL-3.0-or-later
// Turns a numbering into a plan: spanning tree, chord increments and placement (Ball and Larus 1996, sections 3.3 and
// 3.4; event counting after Ball, "Efficiently Counting Program Events with Support for On-line Queries", TOPLAS 1994).
#ifndef PATHPROF_CORE_PLAN_PLACEMENT_H
#define PATHPROF_CORE_PLAN_PLACEMENT_H

#include <cstdint>
#include <vector>

#include "core/numbering/path_graph.h"
#include "core/plan/plan.h"

namespace pathprof {

// Weights of path-graph edges for the spanning tree, as multiples of their frequency.  Code on a cut edge sets the
// register and counts the path in any case, and an increment folds into both operations.  A surrogate edge therefore
// has the lowest weight, unless a larger weight allows the register to be set or the path to be counted elsewhere at a
// lower cost.  The best policy depends on the function.
struct TreePolicy {
  double start = 0;    // surrogate edges to blocks without other in-edges
  double end = 0;      // surrogate edges from blocks where several paths end
  double critical = 1; // edges on which code needs a block of its own
};

// Returns the default policy, or all policies that may be the best if `try_all` is true.
std::vector<TreePolicy> tree_policies(bool try_all);

// Returns, for each path-graph edge, 1 if the edge is in a maximum spanning tree.  EXIT→ENTRY counts as a tree edge.
// Surrogate edges to `late_starts` enter the tree first, so that the register is set as late as possible after these
// blocks.  If a surrogate edge is the only out-edge of a block in `early_ends`, it also enters the tree first, so that
// the path can be counted before the block.
std::vector<char> maximum_spanning_tree(const PathGraph &paths, const TreePolicy &policy = {},
                                        const std::vector<int> &late_starts = {},
                                        const std::vector<char> &early_ends = {});

template <typename Val>
struct IncrementsOf {
  // Increment of each chord, 0 for tree edges.  The sum over any walk from ENTRY to EXIT equals the sum of `vals`.
  std::vector<Val> of_edge;
  // By node: the sum of `vals` minus the sum of the increments on any walk from ENTRY to the node.
  std::vector<Val> deficit_at;
};
using Increments = IncrementsOf<int64_t>;

// Computes the chord increments; Val is int64_t or WideNumber.
template <typename Val>
IncrementsOf<Val> chord_increments(const PathGraph &paths, const std::vector<char> &in_tree,
                                   const std::vector<Val> &vals);

struct PlacementOptions {
  // Try several tree policies.  If a policy moves counts up, paths are counted before more calls that may not return.
  bool try_policies = true;
  // Move counts up to the last chord, where the increment folds into the address of the counter.  False if a count is a
  // call, because each additional count then costs more than an addition.
  bool hoist_counts = true;
  // Blocks with calls at which a path may be truncated (termination=exact).  The register is set before these calls,
  // and the path is counted after them.  An empty vector means no blocks.
  std::vector<char> calls = {};
  // Blocks that counts do not move up out of, and that the register is set before.  An empty vector means no blocks.
  std::vector<char> barriers = {};
  // Headers of loops that control leaves over their exit edges or not at all, so that counting can wait until then.  An
  // empty vector means no blocks.
  std::vector<char> counted_loops = {};
  // Set the register at the start of each path and count the path at its end, because a measurement needs both ends.
  bool at_ends = false;
  // Blocks that counts move up out of even if `hoist_counts` is false: without code in them, the compiler copies these
  // blocks.  An empty vector means no blocks.
  std::vector<char> copied = {};
};

// Places initializations, increments and counts (Figure 8).  Counts are placed first, and the placement of
// initializations stops at a count.  Otherwise, an initialization and a count would cross on the one walk without a
// chord.
Plan place(const PathGraph &paths, const std::vector<char> &in_tree, const std::vector<int64_t> &increments,
           const PlacementOptions &options = {});

// Returns the cost of a plan in operations, weighted by the edge frequencies.
double cost_of(const Plan &plan, const FlowGraph &graph);

} // namespace pathprof

#endif
