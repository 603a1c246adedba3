// SPDX-License-Identifier: GPL-3.0-or-later
// Provides arithmetic modulo 2^64 and 2^128, as on registers.
#ifndef PATHPROF_CORE_NUMBERING_WRAP_H
#define PATHPROF_CORE_NUMBERING_WRAP_H

#include <cstdint>

#include "core/numbering/wide.h"

namespace pathprof {

inline int64_t wrapped_sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

inline int64_t wrapped_difference(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

inline WideNumber wrapped_sum(WideNumber a, WideNumber b) {
  return a + b;
}
inline WideNumber wrapped_difference(WideNumber a, WideNumber b) {
  return a - b;
}

inline int64_t wrapped_product(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

} // namespace pathprof

#endif
