// SPDX-License-Identifier: GPL-3.0-or-later
// Assigns the conditions of a function to decisions. A decision is a whole Boolean expression. The conditions of a
// decision are the operands of && and ||. If an operand of && or || is a ?:, the three operands of the ?: are
// conditions instead.
//
// GCC distinguishes decisions only while a function is a tree. The gimplifier makes one conditional jump from each
// condition. After gimplification, `if (a && b)` and `if (a) if (b)` have the same CFG. Therefore, the plugin observes
// the gimplifier.
#ifndef PATHPROF_PLUGIN_GCC_GIMPLIFIED_H
#define PATHPROF_PLUGIN_GCC_GIMPLIFIED_H

#include <vector>

#include "profile/model/notes.h"

class edge_def;

namespace pathprof {

// Starts observing the gimplifier. If `numbers_conditions` is true, also numbers the conditions.
// give_jumps_their_texts() requires this call, and read_conditions() requires this call with `numbers_conditions`. Must
// be called before the first function is parsed.
void watch_gimplifier(bool numbers_conditions);

// Stores the source ranges of conditions in the locations of the jumps of `cfun` (condition_text.h). Must be called as
// soon as `cfun` has a CFG.
void give_jumps_their_texts();

// Makes front ends generate a branch for every && and ||, even with optimisation. By default, front ends evaluate &&
// and || without a branch if the operands are simple. The values of the operands could then not be observed.
void keep_short_circuits();

// Fills `notes.conditions` from `cfun`. The function's graph must already have been read. `edges` maps edges of the
// graph to GCC's edges.
void read_conditions(FunctionNotes &notes, const std::vector<edge_def *> &edges);

} // namespace pathprof

#endif
