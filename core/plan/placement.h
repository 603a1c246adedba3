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

// Weights of path-graph edges in the spanning tree, as multiples of the edge frequency.  Code on a cut edge must set
// the register and count the path anyway, so an increment on a surrogate edge is free.  Such an edge therefore has the
// lowest weight, unless a larger weight allows the register to be set or the path to be counted at a cheaper position.
// The best policy depends on the function.
struct TreePolicy {
  double start = 0;    // surrogate edges to blocks without other in-edges
  double end = 0;      // surrogate edges from blocks where several paths end
  double critical = 1; // edges on which code needs a block of its own
};

// Returns the policies to try.  If `try_all` is false, only the default policy is returned.
std::vector<TreePolicy> tree_policies(bool try_all);

// Returns, for each path-graph edge, 1 if the edge is in a maximum spanning tree, and 0 otherwise.  EXIT→ENTRY is
// treated as a tree edge.  Surrogate edges to blocks in `late_starts` are added to the tree first, so that the register
// can be set later on the path.  If a surrogate edge is the only out-edge of a block in `early_ends`, it is also added
// first, so that the path can be counted before the block.
std::vector<char> maximum_spanning_tree(const PathGraph &paths, const TreePolicy &policy = {},
                                        const std::vector<int> &late_starts = {},
                                        const std::vector<char> &early_ends = {});

template <typename Val>
struct IncrementsOf {
  // Increment of each chord, or 0 for tree edges.  On every walk from ENTRY to EXIT, the increments and the edge values
  // have the same sum.
  std::vector<Val> of_edge;
  // For each node, the sum of the edge values minus the sum of the increments.  The difference is the same on every
  // walk from ENTRY to the node.
  std::vector<Val> deficit_at;
};
using Increments = IncrementsOf<int64_t>;

// Computes the chord increments.  Val is int64_t or WideNumber.
template <typename Val>
IncrementsOf<Val> chord_increments(const PathGraph &paths, const std::vector<char> &in_tree,
                                   const std::vector<Val> &vals);

struct PlacementOptions {
  // True if several tree policies are tried.  Some policies move counts to earlier positions, so more paths are counted
  // before calls that might not return.
  bool try_policies = true;
  // True if counts are moved to the last chord, where the increment is folded into the address of the counter.  Should
  // be false if counting requires a call, because each additional count then costs more than an addition.
  bool hoist_counts = true;
  // Nonzero for each block with calls at which a path can be truncated (termination=exact).  The register is set before
  // these calls, and the path is counted after them.  An empty vector means that there are no such blocks.
  std::vector<char> calls = {};
  // Nonzero for each block that is a barrier: counts must not be moved out of the block, and the register must be set
  // before the block.  An empty vector means that there are no barriers.
  std::vector<char> barriers = {};
  // Nonzero for each header of a loop that can be counted at its exits because control cannot leave it in any other
  // way.  An empty vector means that there are no such loops.
  std::vector<char> counted_loops = {};
  // True if the register is set exactly at the start of each path and the path is counted exactly at its end, because a
  // quantity is measured between these two points.
  bool at_ends = false;
  // Nonzero for each block that the compiler can copy if the block contains no added code.  Counts are moved out of
  // such a block even if `hoist_counts` is false.  An empty vector means that there are no such blocks.
  std::vector<char> copied = {};
};

// Places initializations, increments and counts (Figure 8).  Counts are placed first, and initializations are never
// moved past a count.  Otherwise, on the only walk without a chord, the path would be counted before the register is
// initialized.
Plan place(const PathGraph &paths, const std::vector<char> &in_tree, const std::vector<int64_t> &increments,
           const PlacementOptions &options = {});

// Returns the cost of a plan, which is the number of operations weighted by edge frequency.
double cost_of(const Plan &plan, const FlowGraph &graph);

} // namespace pathprof

#endif
