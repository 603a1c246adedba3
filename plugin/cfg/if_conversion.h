// SPDX-License-Identifier: GPL-3.0-or-later
// Finds branches that GCC is likely to turn into conditional moves.
#ifndef PATHPROF_PLUGIN_CFG_IF_CONVERSION_H
#define PATHPROF_PLUGIN_CFG_IF_CONVERSION_H

#include <vector>

#include "core/plan/if_conversion.h"

struct basic_block_def;
class edge_def;

namespace pathprof {

// Returns the branches of `cfun` that GCC is likely to if-convert. Their arms contain at most a few assignments that
// neither trap nor access memory, and their outcomes are hard to predict. `blocks` and `edges` map the graph to GCC's
// CFG.
std::vector<IfConversion> cheap_if_conversions(const FlowGraph &graph, const std::vector<basic_block_def *> &blocks,
                                               const std::vector<edge_def *> &edges);

} // namespace pathprof

#endif
