// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on the two arms of a branch that meet again at once, chosen before the branch.
//
// A branch around an assignment or two is one that compilers like to make a conditional move.  An operation
// on one of its arms would keep it a branch, and where the arm is a critical edge give it a block, too.
#ifndef PATHPROF_CORE_PLAN_IF_CONVERSION_H
#define PATHPROF_CORE_PLAN_IF_CONVERSION_H

#include <vector>

#include "core/graph/flow_graph.h"
#include "core/plan/plan.h"

namespace pathprof {

// A branch whose two arms meet again, each directly or over one block of its own.  An arm is its edges.
struct IfConversion {
  int head = 0;
  std::vector<int> if_true; // the head's first edge and what follows
  std::vector<int> if_false;
};

// All that have this shape, by heads.
std::vector<IfConversion> find_if_conversions(const FlowGraph &graph);

// Makes choices of the operations in these if-conversion candidates where both arms do the same with different values,
// or only one adds to the register.  Nothing in the candidates but the plan may look at the register or a counter.
// Returns in how many that was done.
int choose_before_branches(const FlowGraph &graph, const std::vector<IfConversion> &if_conversions, Plan &plan);

} // namespace pathprof

#endif
