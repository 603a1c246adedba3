// SPDX-License-Identifier: GPL-3.0-or-later
// Determines which calls need the path register in memory (termination=exact).
//
// At a call at which a path may be truncated, the value of the path register must be known.  No store is needed if the
// register has the same value on all paths to the call, or if an earlier call on each of these paths has stored the
// register and it has not changed since.
#ifndef PATHPROF_CORE_PLAN_CALL_STORES_H
#define PATHPROF_CORE_PLAN_CALL_STORES_H

#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/flow_graph.h"
#include "core/plan/plan.h"

namespace pathprof {

struct CallStore {
  std::optional<int64_t> known; // register value at the calls of a block, if it is a constant
  bool is_needed = false;       // true if the first of these calls must store the register
};

// Returns, for each block, the register stores that its calls require.  `calls` is nonzero for each block with calls at
// which the register must be known.  The first such call in a block is executed after the operations at the start of
// the block and before the operations at its end.
std::vector<CallStore> call_stores(const FlowGraph &graph, const Plan &plan, const std::vector<char> &calls);

} // namespace pathprof

#endif
