/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Products of 128 bits.  Targets without integers of 128 bits use the functions for halves.  */
#ifndef PATHPROF_PROFILE_FORMAT_WIDE_H
#define PATHPROF_PROFILE_FORMAT_WIDE_H

#include <stdint.h>

/* Returns the lower half of a × b, and stores the upper half in `*high`.  */
static inline uint64_t pathprof_product_of_halves(uint64_t a, uint64_t b, uint64_t *high) {
  uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
  uint64_t low = a_low * b_low;
  uint64_t middle = a_high * b_low + (low >> 32);
  uint64_t other = a_low * b_high + (uint32_t)middle;
  *high = a_high * b_high + (middle >> 32) + (other >> 32);
  return other << 32 | (uint32_t)low;
}

/* Returns the number with the halves `high` and `low`, divided by c.  The quotient must fit in 64 bits.  */
static inline uint64_t pathprof_quotient_of_halves(uint64_t high, uint64_t low, uint64_t c) {
  for (int bit = 0; bit < 64; bit++) {
    uint64_t carry = high >> 63;
    high = high << 1 | low >> 63;
    low <<= 1;
    if (carry || high >= c) {
      high -= c;
      low |= 1;
    }
  }
  return low;
}

/* Returns the lower half of a × b, and stores the upper half in `*high`.  */
static inline uint64_t pathprof_product(uint64_t a, uint64_t b, uint64_t *high) {
#ifdef __SIZEOF_INT128__
  unsigned __int128 product = (unsigned __int128)a * b;
  *high = (uint64_t)(product >> 64);
  return (uint64_t)product;
#else
  return pathprof_product_of_halves(a, b, high);
#endif
}

/* Returns a × b / c.  The quotient must fit in 64 bits.  */
static inline uint64_t pathprof_scaled(uint64_t a, uint64_t b, uint64_t c) {
#ifdef __SIZEOF_INT128__
  return (uint64_t)((unsigned __int128)a * b / c);
#else
  uint64_t high, low = pathprof_product_of_halves(a, b, &high);
  return pathprof_quotient_of_halves(high, low, c);
#endif
}

#endif
