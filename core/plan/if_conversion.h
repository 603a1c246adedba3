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

// A branch whose two arms lead to the same block.  Each arm consists of one edge, or of two edges with a block between
// them that belongs only to the arm.
struct IfConversion {
  int head = 0;
  std::vector<int> if_true; // the first out-edge of `head`, and the edge that follows
  std::vector<int> if_false;
};

// Returns all branches whose two arms lead to the same block, ordered by `head`.
std::vector<IfConversion> find_if_conversions(const FlowGraph &graph);

// Replaces the operations on both arms with select operations if the arms perform the same operations with different
// values, or if only one arm adds to the register.  The register and the counters must not be used by other code on the
// arms.  Returns the number of changed branches.
int choose_before_branches(const FlowGraph &graph, const std::vector<IfConversion> &if_conversions, Plan &plan);

} // namespace pathprof

#endif
