// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the trip count of a loop from the condition of its only exit.
#ifndef PATHPROF_PLUGIN_CFG_TRIP_COUNT_H
#define PATHPROF_PLUGIN_CFG_TRIP_COUNT_H

#include <cstdint>
#include <optional>

#include "core/graph/loop.h"

namespace pathprof {

// Returns the trip count of the loop of `cfun`: the number of times that its back edge is executed per entry of the
// loop. The trip count is known if every iteration reaches the only exit, and if the exit compares an induction
// variable with a constant step to a bound at a constant distance from the variable's initial value. Otherwise nothing
// is returned. `cfun` must be in SSA form.
std::optional<uint64_t> known_trip_count(const Loop &loop);

} // namespace pathprof

#endif
