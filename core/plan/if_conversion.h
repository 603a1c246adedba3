// SPDX-License-Identifier: GPL-3.0-or-later
// Converts operations on the two arms of a short branch into select operations before the branch.
//
// Compilers like to turn a branch around one or two assignments into a conditional move.  An operation on an arm would
// prevent this and, if the arm is a critical edge, would also need a new block.
#ifndef PATHPROF_CORE_PLAN_IF_CONVERSION_H
#define PATHPROF_CORE_PLAN_IF_CONVERSION_H

#include <vector>

#include "core/graph/flow_graph.h"
#include "core/plan/plan.h"

namespace pathprof {

// A branch whose two arms join again, each directly or after one block of its own.  An arm is a list of edges.
struct IfConversion {
  int head = 0;
  std::vector<int> if_true; // the first out-edge of `head`, and the edge that follows
  std::vector<int> if_false;
};

// Returns all branches whose arms join again in this way, ordered by `head`.
std::vector<IfConversion> find_if_conversions(const FlowGraph &graph);

// Replaces operations on the arms by select operations if both arms perform the same operations with different values,
// or if only one arm adds to the register.  Only the plan may use the register and the counters on these arms.  Returns
// the number of branches that were changed.
int choose_before_branches(const FlowGraph &graph, const std::vector<IfConversion> &if_conversions, Plan &plan);

} // namespace pathprof

#endif
