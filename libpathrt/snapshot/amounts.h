/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A map from counters to amounts.  The caller must have entered the registry.  */
#ifndef PATHRT_AMOUNTS_H
#define PATHRT_AMOUNTS_H

#include <stdbool.h>
#include <stdint.h>

struct pathrt_amounts {
  struct pathrt_amount *entries;
  uint64_t size; /* power of two, or 0 */
  uint64_t used;
};

/* Returns a pointer to the amount of a counter.  If the counter has no amount, returns null or, if `make` is true, adds
 * an amount of 0.  Returns null if memory is exhausted.  The pointer is valid until the next call.  */
uint64_t *pathrt_amount(struct pathrt_amounts *amounts, const uint64_t *counter, bool make);

/* Calls `visit` for each counter that has an amount.  */
void pathrt_each_amount(const struct pathrt_amounts *amounts, void (*visit)(uint64_t *counter, uint64_t amount));

/* Removes all amounts and unmaps the memory.  */
void pathrt_amounts_release(struct pathrt_amounts *amounts);

#endif
