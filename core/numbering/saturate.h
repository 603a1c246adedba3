// SPDX-License-Identifier: GPL-3.0-or-later
// Sums that stop at the largest number instead of wrapping.
#ifndef PATHPROF_CORE_NUMBERING_SATURATE_H
#define PATHPROF_CORE_NUMBERING_SATURATE_H

#include <algorithm>
#include <cstdint>

namespace pathprof {

// a + b, or `most` where that is less; `a` is at most `most`.
inline uint64_t saturating_sum(uint64_t a, uint64_t b, uint64_t most = UINT64_MAX) {
  return a > most - std::min(b, most) ? most : a + b;
}

} // namespace pathprof

#endif
