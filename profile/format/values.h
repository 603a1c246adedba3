/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* How values are counted that a program computes (values=1): what an indirect call calls, divisors, sizes.
 *
 * A function counts them in the table that it has beside the storage of its paths, under numbers above those of all
 * paths.  A number has the site, which is the place in the function's notes of what computes the value, and a code of
 * the value: the value itself where it is small, else how large it is.
 */
#ifndef PATHPROF_PROFILE_FORMAT_VALUES_H
#define PATHPROF_PROFILE_FORMAT_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* Numbers of values are not below this, numbers of paths are.  */
#define PATHPROF_FIRST_VALUE (UINT64_C(1) << 63)
#define PATHPROF_SITE_SHIFT 48
#define PATHPROF_MAX_SITES (1 << 14)
/* A table gets no slots for further values when it has so many: then values are counted by how large they are.  */
#define PATHPROF_MAX_VALUES 4096

/* Codes below this are values, as unsigned numbers with the sign as the lowest bit.  Others are this, plus
 * PATHPROF_NEGATIVE where the value is negative, plus the binary logarithm of its amount, rounded down.  */
#define PATHPROF_FIRST_MAGNITUDE (UINT64_C(1) << 47)
#define PATHPROF_NEGATIVE 64

static inline uint64_t pathprof_amount_of(int64_t value) {
  return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

/* The code of how large a value is, which is not 0.  */
static inline uint64_t pathprof_magnitude_code(int64_t value) {
  return PATHPROF_FIRST_MAGNITUDE + (value < 0 ? PATHPROF_NEGATIVE : 0) +
         (uint64_t)(63 - __builtin_clzll(pathprof_amount_of(value) | 1));
}

/* The code of the value, if it has one.  */
static inline uint64_t pathprof_value_code(int64_t value) {
  uint64_t code = (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
  return code < PATHPROF_FIRST_MAGNITUDE ? code : pathprof_magnitude_code(value);
}

static inline uint64_t pathprof_value_number(uint64_t site, uint64_t code) {
  return PATHPROF_FIRST_VALUE | site << PATHPROF_SITE_SHIFT | code;
}

static inline uint64_t pathprof_site_of(uint64_t number) {
  return (number & ~PATHPROF_FIRST_VALUE) >> PATHPROF_SITE_SHIFT;
}

static inline uint64_t pathprof_code_of(uint64_t number) {
  return number & ((UINT64_C(1) << PATHPROF_SITE_SHIFT) - 1);
}

/* Whether a code stands for one value.  */
static inline bool pathprof_is_value(uint64_t code) {
  return code < PATHPROF_FIRST_MAGNITUDE;
}

/* Whether there is such a code.  */
static inline bool pathprof_is_code(uint64_t code) {
  return pathprof_is_value(code) || code - PATHPROF_FIRST_MAGNITUDE < 2 * PATHPROF_NEGATIVE;
}

/* The value; of a code that stands for many the one that is nearest to 0.  */
static inline int64_t pathprof_value_of(uint64_t code) {
  if (pathprof_is_value(code))
    return (int64_t)(code >> 1) ^ -(int64_t)(code & 1);
  uint64_t amount = UINT64_C(1) << (code & (PATHPROF_NEGATIVE - 1));
  return (int64_t)(code & PATHPROF_NEGATIVE ? -amount : amount);
}

#endif
