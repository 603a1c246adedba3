// SPDX-License-Identifier: GPL-3.0-or-later
// Loops that are counted in registers (core/plan/register_counters.h), in GCC's CFG.
#ifndef PATHPROF_PLUGIN_CFG_PEEL_H
#define PATHPROF_PLUGIN_CFG_PEEL_H

#include <vector>

#include "core/plan/register_counters.h"

struct basic_block_def;
class edge_def;

namespace pathprof {

struct LoopsInRegisters {
  std::vector<Loop> loops;
  TripCounts trip_counts; // of these, those that control surely goes around often, and how often
};

// The loops of `cfun`, whose graph this is, that may be worth it: expected to run more than once or twice, and without
// anything that could end the function in the middle.  Those that may have to be peeled are small.
LoopsInRegisters loops_in_registers(const FlowGraph &graph);

// The peeled graph's blocks and edges in GCC's CFG.
struct PeeledCfg {
  std::vector<basic_block_def *> blocks;
  std::vector<edge_def *> edges;
};

// Peels the loops of `cfun`; `edges` are those of the graph before.  SSA form is up to date afterwards.
PeeledCfg peel_cfg(const Peeled &peeled, const std::vector<edge_def *> &edges);

} // namespace pathprof

#endif
