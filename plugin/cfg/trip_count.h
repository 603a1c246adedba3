// SPDX-License-Identifier: GPL-3.0-or-later
// How often control goes around a loop, where its only exit says so.
#ifndef PATHPROF_PLUGIN_CFG_TRIP_COUNT_H
#define PATHPROF_PLUGIN_CFG_TRIP_COUNT_H

#include <cstdint>
#include <optional>

#include "core/graph/loop.h"

namespace pathprof {

// The trip count of this loop of `cfun`: how often control goes over its back edge each time that it enters the loop.
// It is known where the loop has one exit, which every iteration comes to, and where an induction variable of constant
// step is compared there with a bound at constant distance from its start.  Nothing is returned otherwise.  The
// function must be in SSA form.
std::optional<uint64_t> known_trip_count(const Loop &loop);

} // namespace pathprof

#endif
