// SPDX-License-Identifier: GPL-3.0-or-later
// Values that a loop hands from one iteration to the next, before SSA form.
#ifndef PATHPROF_PLUGIN_CFG_LOOP_VALUES_H
#define PATHPROF_PLUGIN_CFG_LOOP_VALUES_H

#include <vector>

struct edge_def;
struct loop;

namespace pathprof {

// Returns true if in SSA form a PHI node of the loop's head will have, on `inner` and on another of the latches, the same
// value, and the loop computes the value.  GCC does not take `inner` for the latch of an inner loop then
// (find_subloop_latch_edge_by_ivs in cfgloop.cc).  The source of `inner` dominates the sources of the other latches.
bool share_a_value(loop *of, edge_def *inner, const std::vector<edge_def *> &others);

} // namespace pathprof

#endif
