/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Sums and products of counts that do not wrap around: what is too large is the largest number.  */
#ifndef PATHPROF_PROFILE_FORMAT_SATURATE_H
#define PATHPROF_PROFILE_FORMAT_SATURATE_H

#include <stdint.h>

static inline uint64_t pathprof_saturating_add(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t pathprof_saturating_mul(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

#endif
