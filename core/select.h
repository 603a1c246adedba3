// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on the two ways of a branch that meet again at once, chosen before the branch.
//
// A branch around an assignment or two is one that compilers like to make a conditional move.  An operation
// on one of its ways would keep it a branch, and where the way is a critical edge give it a block, too.
#ifndef PATHPROF_CORE_SELECT_H
#define PATHPROF_CORE_SELECT_H

#include <vector>

#include "core/flow_graph.h"
#include "core/plan.h"

namespace pathprof {

// A branch whose two ways meet again, each directly or over one block of its own.  A way is its edges.
struct Diamond {
  int head = 0;
  std::vector<int> if_true; // the head's first edge and what follows
  std::vector<int> if_false;
};

// All that have this shape, by heads.
std::vector<Diamond> find_diamonds(const FlowGraph &graph);

// Makes choices of the operations in these diamonds where both ways do the same with different values, or
// only one adds to the register.  Nothing in the diamonds but the plan may look at the register or a counter.
// Returns in how many that was done.
int choose_before_branches(const FlowGraph &graph, const std::vector<Diamond> &diamonds, Plan &plan);

} // namespace pathprof

#endif
