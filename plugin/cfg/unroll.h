// SPDX-License-Identifier: GPL-3.0-or-later
// Short loops whose iterations paths span.
#ifndef PATHPROF_PLUGIN_CFG_UNROLL_H
#define PATHPROF_PLUGIN_CFG_UNROLL_H

#include "core/graph/flow_graph.h"
#include "core/models/model.h"

namespace pathprof {

// Asks GCC to unroll such loops of `cfun`, whose graph this is, completely, and those around them, where it is known
// how often control goes around and GCC would do so at -O3.  Which iteration it is, and with that most of what is
// counted, is known then when the program is compiled.  Only in SSA form.
void unroll_short_iterations(const FlowGraph &graph, const PathModel &model);

} // namespace pathprof

#endif
