// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the trip count of a loop from the condition of its only exit.
#ifndef PATHPROF_PLUGIN_CFG_TRIP_COUNT_H
#define PATHPROF_PLUGIN_CFG_TRIP_COUNT_H

#include <cstdint>
#include <optional>

#include "core/graph/loop.h"

namespace pathprof {

// Returns the trip count of a loop in `cfun`, or nothing if the trip count is unknown. The trip count is the number of
// times that the back edge is executed each time the loop is entered. The trip count is known if the loop has a single
// exit, whose condition compares an induction variable with a bound. The variable must have a constant step, and the
// bound must be at a constant distance from the initial value. The result is correct only if every iteration reaches
// the exit; this is not checked. `cfun` must be in SSA form.
std::optional<uint64_t> known_trip_count(const Loop &loop);

} // namespace pathprof

#endif
