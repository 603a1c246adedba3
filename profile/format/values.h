/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Encodes the values that a program computes (values=1): targets of indirect calls, divisors and sizes.
 *
 * A function counts its values in the table that it has in addition to the storage of its paths, with IDs above those
 * of all paths.  The ID of a value consists of a site and a code.  The site is the index, in the notes of the function,
 * of the statement that computes the value.  The code is the value itself if it is small, and its magnitude
 * otherwise.  */
#ifndef PATHPROF_PROFILE_FORMAT_VALUES_H
#define PATHPROF_PROFILE_FORMAT_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* Lower bound of the IDs of values and upper bound of path IDs.  */
#define PATHPROF_FIRST_VALUE (UINT64_C(1) << 63)
#define PATHPROF_SITE_SHIFT 48
#define PATHPROF_MAX_SITES (1 << 14)
/* Maximum number of different values in a table.  The runtime counts further values by their magnitude only.  */
#define PATHPROF_MAX_VALUES 4096

/* Codes below this constant represent single values, as unsigned numbers whose lowest bit is the sign.  A larger code
 * is the sum of this constant, PATHPROF_NEGATIVE if the value is negative, and the binary logarithm of the absolute
 * value, rounded down.  */
#define PATHPROF_FIRST_MAGNITUDE (UINT64_C(1) << 47)
#define PATHPROF_NEGATIVE 64

static inline uint64_t pathprof_amount_of(int64_t value) {
  return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

/* Returns the code of the magnitude of a value.  */
static inline uint64_t pathprof_magnitude_code(int64_t value) {
  return PATHPROF_FIRST_MAGNITUDE + (value < 0 ? PATHPROF_NEGATIVE : 0) +
         (uint64_t)(63 - __builtin_clzll(pathprof_amount_of(value) | 1));
}

/* Returns the code of a value, or of its magnitude if the value is too large.  */
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

/* Returns the value that the code represents.  If the code represents several values, returns the value that is nearest
 * to 0.  */
static inline int64_t pathprof_value_of(uint64_t code) {
  if (pathprof_is_value(code))
    return (int64_t)(code >> 1) ^ -(int64_t)(code & 1);
  uint64_t amount = UINT64_C(1) << (code & (PATHPROF_NEGATIVE - 1));
  return (int64_t)(code & PATHPROF_NEGATIVE ? -amount : amount);
}

#endif
