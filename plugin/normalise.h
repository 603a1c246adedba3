// SPDX-License-Identifier: GPL-3.0-or-later
// Small changes to a function's CFG that make paths well defined and lines countable.
#ifndef PATHPROF_PLUGIN_NORMALISE_H
#define PATHPROF_PLUGIN_NORMALISE_H

#include "profile/notes.h"

namespace pathprof {

// Changes the CFG of `cfun` before its graph is read, and numbers its blocks without gaps:
//
// - An edge whose own source position differs from that of the branch it leaves gets a block to hold
//   that position, under the condition that GCC's own coverage uses.  Line counts then equal gcov's.  Not
//   at stage late, where a block costs a jump.
// - A block that abnormal edges and ordinary edges enter is split after its labels, and the ordinary
//   edges enter the lower half: a path that arrives in the ordinary way is not cut there.  Only before
//   SSA form: later the ordinary edges are cut instead (new PHI nodes for names that occur in abnormal
//   PHIs could not be coalesced).
void normalise_cfg(Stage stage);

} // namespace pathprof

#endif
