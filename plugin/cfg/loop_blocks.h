// SPDX-License-Identifier: GPL-3.0-or-later
// Adds the blocks that GCC gives to loops between stage source and the point at which its coverage reads the CFG.
#ifndef PATHPROF_PLUGIN_CFG_LOOP_BLOCKS_H
#define PATHPROF_PLUGIN_CFG_LOOP_BLOCKS_H

namespace pathprof {

// Adds to the loops of `cfun` the blocks that these loops have when GCC's coverage reads the CFG, so that line counts
// equal gcov's. The function has no effect after stage source, where the blocks already exist.
//
// - Labels before a loop (`case 1: do`) are initially in the same block as the loop header, so that the label would be
//   counted once per iteration. When GCC cleans up the CFG or adds preheaders, labels that several edges enter get a
//   separate block.
// - Without optimisation, -Wformat-overflow and -Wformat-truncation, which -Wformat and -Wall imply, enable GCC's pass
//   warn-printf before its coverage. In GCC 12 and later, the pass initialises the loop optimiser, which adds an empty
//   preheader to each loop, and an empty latch to each loop whose back edge leaves a branch or that has several back
//   edges. In particular, a function that begins with a loop then begins with a preheader, so that the function's line
//   counts calls instead of iterations. The plugin adds a separate block to each edge, whereas GCC merges the latches
//   of a loop into one block, or turns one of several latches into an inner loop. The difference from GCC does not
//   affect line counts, because the blocks are empty. It ensures that paths have the same loops with and without -Wall.
void give_loops_their_blocks();

} // namespace pathprof

#endif
