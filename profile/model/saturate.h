// SPDX-License-Identifier: GPL-3.0-or-later
// Adds to a count in place, with a maximum of 2^64 − 1.
#ifndef PATHPROF_PROFILE_MODEL_SATURATE_H
#define PATHPROF_PROFILE_MODEL_SATURATE_H

#include <cstdint>

#include "profile/format/saturate.h"

namespace pathprof {

inline void saturating_add(uint64_t &sum, uint64_t value) {
  sum = pathprof_saturating_add(sum, value);
}

} // namespace pathprof

#endif
