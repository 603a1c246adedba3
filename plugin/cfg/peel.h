// SPDX-License-Identifier: GPL-3.0-or-later
// Selects the loops whose paths are counted in registers (core/plan/register_counters.h) and peels them in GCC's CFG.
#ifndef PATHPROF_PLUGIN_CFG_PEEL_H
#define PATHPROF_PLUGIN_CFG_PEEL_H

#include <vector>

#include "core/plan/register_counters.h"

struct basic_block_def;
class edge_def;

namespace pathprof {

struct LoopsInRegisters {
  std::vector<Loop> loops;
  TripCounts trip_counts; // Known trip counts of some of these loops, or of loops around them
};

// Returns the loops of `cfun` whose paths can profitably be counted in registers. These loops are expected to iterate
// more than twice, and contain no statement that might not complete, such as a call that may not return. A loop that
// would have to be peeled is returned only if it is small. `graph` is the graph of `cfun`.
LoopsInRegisters loops_in_registers(const FlowGraph &graph);

// For each block and edge of the peeled graph, the corresponding block or edge in GCC's CFG.
struct PeeledCfg {
  std::vector<basic_block_def *> blocks;
  std::vector<edge_def *> edges;
};

// Peels the loops of `cfun`. `edges` maps the edges of the original graph to GCC's edges. SSA form is up to date
// afterwards.
PeeledCfg peel_cfg(const Peeled &peeled, const std::vector<edge_def *> &edges);

} // namespace pathprof

#endif
