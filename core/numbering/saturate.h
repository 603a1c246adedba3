// SPDX-License-Identifier: GPL-3.0-or-later
// Provides saturating addition.
#ifndef PATHPROF_CORE_NUMBERING_SATURATE_H
#define PATHPROF_CORE_NUMBERING_SATURATE_H

#include <algorithm>
#include <cstdint>

namespace pathprof {

// Returns a + b, or `most` if the sum is larger.  `a` must not exceed `most`.
inline uint64_t saturating_sum(uint64_t a, uint64_t b, uint64_t most = UINT64_MAX) {
  return a > most - std::min(b, most) ? most : a + b;
}

// Adds to a count in place, with a maximum of 2^64 − 1.
inline void saturating_add(uint64_t &sum, uint64_t value) {
  sum = saturating_sum(sum, value);
}

} // namespace pathprof

#endif
