// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates edge frequencies statically, for graphs without a profile (before GCC has guessed one).
#ifndef PATHPROF_CORE_GRAPH_FREQUENCY_H
#define PATHPROF_CORE_GRAPH_FREQUENCY_H

#include "core/graph/flow_graph.h"

namespace pathprof {

// Estimates the frequency of every edge.  The frequency of a block is divided equally among its out-edges.  Each loop
// around an edge multiplies the edge's frequency by ten, up to a nesting depth of eight.  Truncation points must be
// marked.
void estimate_frequencies(FlowGraph &graph);

} // namespace pathprof

#endif
