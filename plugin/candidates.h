// SPDX-License-Identifier: GPL-3.0-or-later
// Which functions of a unit are instrumented.
#ifndef PATHPROF_PLUGIN_CANDIDATES_H
#define PATHPROF_PLUGIN_CANDIDATES_H

#include "plugin/arguments.h"

struct cgraph_node;

namespace pathprof {

// Whether a node stands for a body that no other node has.
bool has_own_body(cgraph_node *node);

// Whether statements may be inserted: not into what users and GCC's own profiler leave alone.
bool may_be_changed(cgraph_node *node);

// Whether the function may be changed and the arguments want it profiled.
bool is_candidate(cgraph_node *node, const Arguments &arguments);

} // namespace pathprof

#endif
