// SPDX-License-Identifier: GPL-3.0-or-later
// How often control goes around a loop, where its only exit says so.
#ifndef PATHPROF_PLUGIN_ROUNDS_H
#define PATHPROF_PLUGIN_ROUNDS_H

#include <cstdint>
#include <optional>

#include "core/loop.h"

namespace pathprof {

// How often control goes over the back edge of this loop of `cfun` each time that it enters, if all ways around it come
// to its exit: it has one, where a number that changes by a constant from a constant on passes a constant.  Nothing
// where that is not so.  Only in SSA form.
std::optional<uint64_t> known_rounds(const Loop &loop);

} // namespace pathprof

#endif
