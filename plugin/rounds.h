// SPDX-License-Identifier: GPL-3.0-or-later
// How often control goes around a loop, where its only exit says so.
#ifndef PATHPROF_PLUGIN_ROUNDS_H
#define PATHPROF_PLUGIN_ROUNDS_H

#include <cstdint>
#include <optional>

#include "core/loop.h"

namespace pathprof {

// How often control goes over the back edge of this loop of `cfun` each time that it enters, if all ways around it come
// to its exit: it has one, where what changes by a constant passes what is always as far away from its first value.
// Nothing where that is not so.  Only in SSA form.
std::optional<uint64_t> known_rounds(const Loop &loop);

} // namespace pathprof

#endif
