/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Encodes the values that a program computes (values=1): targets of indirect calls, divisors and sizes.
 *
 * The values of a function are counted in a separate table, not in the storage for its paths.  Value IDs are greater
 * than all path IDs.  A value ID consists of a site and a code.  The site identifies the statement that computes the
 * value, as an index in the notes of the function.  The code represents the value itself if the value is small, and
 * otherwise its magnitude.  */
#ifndef PATHPROF_PROFILE_FORMAT_VALUES_H
#define PATHPROF_PROFILE_FORMAT_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* The smallest value ID, which is greater than all path IDs.  */
#define PATHPROF_FIRST_VALUE (UINT64_C(1) << 63)
#define PATHPROF_SITE_SHIFT 48
#define PATHPROF_MAX_SITES (1 << 14)
/* Maximum number of distinct values in a table.  The runtime counts further values only by magnitude.  */
#define PATHPROF_MAX_VALUES 4096

/* Codes below this constant represent single values in zigzag encoding, in which the lowest bit is the sign.  All other
 * codes represent magnitudes.  The code of a magnitude is the sum of this constant, the binary logarithm of the
 * absolute value (rounded down) and, for negative values, PATHPROF_NEGATIVE.  */
#define PATHPROF_FIRST_MAGNITUDE (UINT64_C(1) << 47)
#define PATHPROF_NEGATIVE 64

static inline uint64_t pathprof_amount_of(int64_t value) {
  return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

/* Returns the code for the magnitude of a value.  */
static inline uint64_t pathprof_magnitude_code(int64_t value) {
  return PATHPROF_FIRST_MAGNITUDE + (value < 0 ? PATHPROF_NEGATIVE : 0) +
         (uint64_t)(63 - __builtin_clzll(pathprof_amount_of(value) | 1));
}

/* Returns the code for a value, or the code for its magnitude if the value is too large.  */
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

/* Returns true if the code represents a single value.  */
static inline bool pathprof_is_value(uint64_t code) {
  return code < PATHPROF_FIRST_MAGNITUDE;
}

/* Returns true if the code of a value is valid.  */
static inline bool pathprof_is_code(uint64_t code) {
  return pathprof_is_value(code) || code - PATHPROF_FIRST_MAGNITUDE < 2 * PATHPROF_NEGATIVE;
}

/* Returns the value that the code represents.  If the code represents several values, returns the value closest to
 * 0.  */
static inline int64_t pathprof_value_of(uint64_t code) {
  if (pathprof_is_value(code))
    return (int64_t)(code >> 1) ^ -(int64_t)(code & 1);
  uint64_t amount = UINT64_C(1) << (code & (PATHPROF_NEGATIVE - 1));
  return (int64_t)(code & PATHPROF_NEGATIVE ? -amount : amount);
}

#endif
