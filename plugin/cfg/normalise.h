// SPDX-License-Identifier: GPL-3.0-or-later
// Prepares a function's CFG for path numbering and for line counts that match gcov's.
#ifndef PATHPROF_PLUGIN_CFG_NORMALISE_H
#define PATHPROF_PLUGIN_CFG_NORMALISE_H

#include "plugin/cfg/lines.h"
#include "profile/model/notes.h"

namespace pathprof {

// Changes the CFG of `cfun` before its graph is read and renumbers its blocks without gaps:
//
// - An edge gets a block if its source location differs from that of the branch at its source. GCC's coverage adds this
//   block under the same condition, so that line counts match gcov's. At stage=late, where a block costs a jump, no
//   such block is added.
// - A block that abnormal and ordinary edges enter is split after its labels. If the function is not in SSA form, the
//   ordinary edges are redirected to the lower half, so that paths are not truncated on them. In SSA form, the ordinary
//   edges keep entering the upper half and become truncation points, because new PHI nodes for names in abnormal PHI
//   nodes could not be coalesced. A block that starts with a call that returns twice, or with another receiver of
//   abnormal edges, is not split.
// - A block that only abnormal edges enter is split after its labels if GCC's coverage also splits it.
// - The lower half lists the locations of the labels if GCC's coverage does not split the block. If GCC's coverage
//   splits the block and ordinary edges are redirected, a new block between the halves lists the locations, and the
//   ordinary edges enter the new block.
// - If ordinary edges are truncation points because they share their target with abnormal edges, each such edge gets a
//   block, so that the end of a path identifies the edge.
// - A loop may get blocks for the labels before it, for its entry and for its latch (plugin/cfg/loop_blocks.h).
// - A call in tail position gets a return in its own block (plugin/cfg/tail_calls.h).
// - A call that forks the process ends its block, because a path ends at the fork.
// - If abnormal edges enter the first block of the function, an empty block is inserted before it. The empty block is
//   executed once per call of the function, as is the line on which the function starts.
//
// Returns the blocks that list locations of other blocks.
ListedElsewhere normalise_cfg(Stage stage);

} // namespace pathprof

#endif
