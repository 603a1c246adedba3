// SPDX-License-Identifier: GPL-3.0-or-later
// How often control goes around a loop, where its only exit says so.
#ifndef PATHPROF_PLUGIN_ROUNDS_H
#define PATHPROF_PLUGIN_ROUNDS_H

#include <cstdint>
#include <optional>

#include "core/loop.h"

namespace pathprof {

// How often control surely goes over the back edge of this loop of `cfun` each time that it enters: the loop has one way
// around, and leaves it where a number that grows by a constant from a constant on passes a constant.  Nothing where
// that is not so.  Only in SSA form.
std::optional<uint64_t> known_rounds(const Loop &loop);

} // namespace pathprof

#endif
