/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Access to counters.  */
#ifndef PATHRT_COUNTER_H
#define PATHRT_COUNTER_H

#include <stdint.h>

/* Kinds of increments: a plain increment, or an atomic increment (update=atomic), which loses no counts if threads
 * race.  */
enum pathrt_update { PATHRT_SINGLE, PATHRT_ATOMIC };

/* Returns the counter's value.  The access is relaxed, so it compiles to a plain load, but the compiler must not
 * duplicate or merge this load.  */
static inline uint64_t pathrt_load(const uint64_t *from) {
  return __atomic_load_n(from, __ATOMIC_RELAXED);
}

/* Adds `amount` to the counter and returns the previous value.  */
static inline uint64_t pathrt_add(uint64_t *counter, uint64_t amount, enum pathrt_update update) {
  if (update == PATHRT_ATOMIC)
    return __atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
  uint64_t before = pathrt_load(counter);
  __atomic_store_n(counter, before + amount, __ATOMIC_RELAXED);
  return before;
}

static inline void pathrt_bump(uint64_t *counter, enum pathrt_update update) {
  pathrt_add(counter, 1, update);
}

#endif
