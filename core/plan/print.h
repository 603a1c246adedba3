// SPDX-License-Identifier: GPL-3.0-or-later
// Plans as text, for dumps.
#ifndef PATHPROF_CORE_PLAN_PRINT_H
#define PATHPROF_CORE_PLAN_PRINT_H

#include <string>
#include <vector>

#include "core/plan/plan.h"
#include "core/plan/register_counters.h"

namespace pathprof {

// "true,fallthru"
std::string edge_flags_text(unsigned flags);

// "r += 2; count[r + 1]++".
std::string to_string(const Ops &ops);

// "r += (cond ? 2 : 0)"
std::string to_string(const SelectOps &selects);

// What was peeled, and what happens on each edge and in each block: a line each.
std::vector<std::string> lines_of(const RegisterCounterPlan &plan);

} // namespace pathprof

#endif
