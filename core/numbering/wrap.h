// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic modulo 2^64, or 2^128, as registers have it.
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
