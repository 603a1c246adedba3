/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Saturating arithmetic on counts: a result that is too large becomes UINT64_MAX.  */
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

/* Special weight: counts are subtracted instead of added.  A negative difference becomes 0.  */
#define PATHPROF_SUBTRACTED UINT64_MAX

/* Returns sum + count × weight.  */
static inline uint64_t pathprof_add_weighted(uint64_t sum, uint64_t count, uint64_t weight) {
  if (weight == PATHPROF_SUBTRACTED)
    return sum > count ? sum - count : 0;
  return pathprof_saturating_add(sum, pathprof_saturating_mul(count, weight));
}

#endif
