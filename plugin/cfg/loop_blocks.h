// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that GCC gives a loop between stage source and the point where its coverage reads the graph.
#ifndef PATHPROF_PLUGIN_CFG_LOOP_BLOCKS_H
#define PATHPROF_PLUGIN_CFG_LOOP_BLOCKS_H

namespace pathprof {

// Gives the loops of `cfun` the blocks that they have when GCC's coverage reads the graph, so that line counts equal
// gcov's.  Does nothing after stage source, where the loops have these blocks.
//
// - Labels in front of a loop (`case 1: do`) and the loop's head are one block at first, so that the label seems to be
//   executed in each iteration.  When GCC cleans the graph up, or adds preheaders, the labels that several edges lead
//   to get a block of their own.
// - Without optimisation, -Wformat-overflow and -Wformat-truncation (and thus -Wformat and -Wall) run GCC's pass
//   warn-printf in front of its coverage.  The pass initialises the loop optimiser, which adds an empty preheader to
//   each loop and an empty latch to each loop that is repeated from a branch or from several blocks.  In particular, a
//   function that begins with a loop begins with a preheader then, so that the function's line counts calls and not
//   iterations.  Here each edge gets a block of its own.  GCC merges the latches of a loop into one block, or turns one
//   of several latches into an inner loop.  The difference does not matter for line counts, because the blocks are
//   empty, and so paths have the same loops with and without -Wall.
void give_loops_their_blocks();

} // namespace pathprof

#endif
