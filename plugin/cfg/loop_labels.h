// SPDX-License-Identifier: GPL-3.0-or-later
// Labels right ahead of a loop's body.
#ifndef PATHPROF_PLUGIN_CFG_LOOP_LABELS_H
#define PATHPROF_PLUGIN_CFG_LOOP_LABELS_H

namespace pathprof {

// Before SSA form GCC has one block for labels and the head of a loop behind them (`case 1: do`), so that a label
// seems to run in each iteration.  Once GCC cleans the graph up, labels that several edges lead to have a block of
// their own ahead of the loop.  In functions of which its coverage sees the cleaned graph, even without optimisation,
// this does so already: `cfun`'s lines then have gcov's counts.
void give_loop_labels_a_block();

} // namespace pathprof

#endif
