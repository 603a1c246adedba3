// SPDX-License-Identifier: GPL-3.0-or-later
// Requests the unrolling of short loops whose iterations paths span (mode=kiter).
#ifndef PATHPROF_PLUGIN_CFG_UNROLL_H
#define PATHPROF_PLUGIN_CFG_UNROLL_H

#include "core/graph/flow_graph.h"
#include "core/models/model.h"

namespace pathprof {

// Asks GCC to completely unroll loops of `cfun` if paths span several of their iterations. Also asks GCC to unroll the
// loops around them. A loop is unrolled only if its trip count is known and GCC would unroll it at -O3. After
// unrolling, GCC can compute most path IDs at compile time, because it knows the current iteration. `graph` is the
// graph of `cfun`, which must be in SSA form.
void unroll_short_iterations(const FlowGraph &graph, const PathModel &model);

} // namespace pathprof

#endif
