// SPDX-License-Identifier: GPL-3.0-or-later
// Which decision each condition of a function belongs to: a decision is a whole boolean expression, its conditions are
// the operands that are joined by && and || (and the three parts of a ?: among them).
//
// GCC knows that only as long as a function is a tree: its gimplifier makes one conditional jump of each condition, and
// afterwards `if (a && b)` and `if (a) if (b)` have the same graph.  So the gimplifier is watched.
#ifndef PATHPROF_PLUGIN_GCC_GIMPLIFIED_H
#define PATHPROF_PLUGIN_GCC_GIMPLIFIED_H

#include <vector>

#include "profile/model/notes.h"

class edge_def;

namespace pathprof {

// From here on the gimplifier is watched, for give_jumps_their_texts, and for read_conditions if conditions are to have
// numbers.  Before the first function is parsed.
void watch_gimplifier(bool numbers_conditions);

// As soon as `cfun` has a graph: its jumps' positions take along where their conditions' texts are (condition_text.h).
void give_jumps_their_texts();

// Sees to it that each && and || becomes a branch when GCC optimises, too: else its front ends compute those with
// simple operands without one, so that nothing tells what each operand was.
void keep_short_circuits();

// Fills notes.conditions from `cfun`; the graph has been read, and `edges` are GCC's for each of its edges.
void read_conditions(FunctionNotes &notes, const std::vector<edge_def *> &edges);

} // namespace pathprof

#endif
