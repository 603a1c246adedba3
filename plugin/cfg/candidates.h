// SPDX-License-Identifier: GPL-3.0-or-later
// Which functions of a unit can be instrumented.
#ifndef PATHPROF_PLUGIN_CFG_CANDIDATES_H
#define PATHPROF_PLUGIN_CFG_CANDIDATES_H

struct cgraph_node;

namespace pathprof {

// Whether a node stands for a body that no other node has.
bool has_own_body(cgraph_node *node);

// Whether statements may be inserted: not into what users and GCC's own profiler leave alone.
bool may_be_changed(cgraph_node *node);

} // namespace pathprof

#endif
