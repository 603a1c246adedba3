// SPDX-License-Identifier: GPL-3.0-or-later
// A static estimate of edge frequencies, for graphs that come without one (before the compiler has
// guessed its profile).
#ifndef PATHPROF_CORE_GRAPH_FREQUENCY_H
#define PATHPROF_CORE_GRAPH_FREQUENCY_H

#include "core/graph/flow_graph.h"

namespace pathprof {

// Sets every edge's frequency: a block passes its own on to its successors in equal shares, and each
// loop around a block multiplies by ten.  Cuts must be marked.
void estimate_frequencies(FlowGraph &graph);

} // namespace pathprof

#endif
