// SPDX-License-Identifier: GPL-3.0-or-later
// Exact termination: what a function must store of its path register before the calls at which a path may be cut short,
// so that whoever looks while the call runs knows the register.
//
// Often it is nothing: where all ways to the call leave one value in the register, that is known beforehand, and where
// all of them come by an earlier call and nothing happened to the register since, it is stored already.
#ifndef PATHPROF_CORE_PLAN_CALL_STORES_H
#define PATHPROF_CORE_PLAN_CALL_STORES_H

#include <cstdint>
#include <optional>
#include <vector>

#include "core/graph/flow_graph.h"
#include "core/plan/plan.h"

namespace pathprof {

struct CallStore {
  std::optional<int64_t> known; // the register's value at the calls of a block
  bool is_needed = false;       // else: whether the first of them must store it
};

// By block.  `calls`: the blocks with calls before which the register must be known.  The first of these calls comes
// before the operations at the block's end, and behind those at its start.
std::vector<CallStore> call_stores(const FlowGraph &graph, const Plan &plan, const std::vector<char> &calls);

} // namespace pathprof

#endif
