// SPDX-License-Identifier: GPL-3.0-or-later
// Small changes to a function's CFG that make paths well defined and lines countable.
#ifndef PATHPROF_PLUGIN_CFG_NORMALISE_H
#define PATHPROF_PLUGIN_CFG_NORMALISE_H

#include "plugin/cfg/lines.h"
#include "profile/model/notes.h"

namespace pathprof {

// Changes the CFG of `cfun` before its graph is read, and numbers its blocks without gaps:
//
// - An edge whose own source position differs from that of the branch it leaves gets a block to hold
//   that position, under the condition that GCC's own coverage uses.  Line counts then equal gcov's.  Not
//   at stage late, where a block costs a jump.
// - A block that abnormal edges and ordinary edges enter is split after its labels, and the ordinary
//   edges enter the lower half: a path that arrives in the ordinary way is not cut there.  In SSA form
//   the ordinary edges enter the upper half, and are cut (new PHI nodes for names that occur in abnormal
//   PHIs could not be coalesced).  Not before a call that returns twice and the like.
// - So are labels that only abnormal edges lead to where GCC's coverage gives them a block of their own.  Where
//   it does not, labels' positions are listed in the lower half; where it does and ordinary edges enter there, in a
//   block between the halves, to which they lead instead.
// - Where ordinary edges are cut because abnormal ones lead to the same block, each leaves from a block of its own:
//   then it is seen from where a path ends which of them was taken.
// - A loop may get blocks for the labels in front of it, for its entry and for its repetition
//   (plugin/cfg/loop_blocks.h).
// - A call in tail position gets a return of its own (plugin/cfg/tail_calls.h).
// - Behind a call that forks the process a block begins: a path ends at the fork.
// - A function that begins where abnormal edges lead gets an empty block ahead of that: it runs once a call, and so
//   does the line that the function begins on.
//
// Returns which of these blocks list positions of others.
ListedElsewhere normalise_cfg(Stage stage);

} // namespace pathprof

#endif
