// SPDX-License-Identifier: GPL-3.0-or-later
// Branches that GCC is likely to turn into conditional moves.
#ifndef PATHPROF_PLUGIN_CFG_IF_CONVERSION_H
#define PATHPROF_PLUGIN_CFG_IF_CONVERSION_H

#include <vector>

#include "core/plan/if_conversion.h"

struct basic_block_def;
class edge_def;

namespace pathprof {

// Those of `cfun`, whose blocks and edges these are: an assignment or two on each arm, nothing that could trap
// or touches memory, and a condition that GCC cannot tell.
std::vector<IfConversion> cheap_if_conversions(const FlowGraph &graph, const std::vector<basic_block_def *> &blocks,
                                               const std::vector<edge_def *> &edges);

} // namespace pathprof

#endif
