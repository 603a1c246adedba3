// SPDX-License-Identifier: GPL-3.0-or-later
// Prints plans as text for dump files.
#ifndef PATHPROF_CORE_PLAN_PRINT_H
#define PATHPROF_CORE_PLAN_PRINT_H

#include <string>
#include <vector>

#include "core/plan/plan.h"
#include "core/plan/register_counters.h"

namespace pathprof {

// Returns, for example, "true,fallthru".
std::string edge_flags_text(unsigned flags);

// Returns the operations as text, for example "r += 2; count[r + 1]++".
std::string to_string(const Ops &ops);

// Returns the select operations as text, for example "r += (cond ? 2 : 0)".
std::string to_string(const SelectOps &selects);

// Returns a description with one line for each peeled loop and for each edge or block that has operations.
std::vector<std::string> lines_of(const RegisterCounterPlan &plan);

} // namespace pathprof

#endif
