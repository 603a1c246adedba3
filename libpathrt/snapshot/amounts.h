/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* An amount for each of some counters.  Used with the registry entered.  */
#ifndef PATHRT_AMOUNTS_H
#define PATHRT_AMOUNTS_H

#include <stdbool.h>
#include <stdint.h>

struct pathrt_amounts {
  struct pathrt_amount *entries;
  uint64_t size; /* a power of two, or 0 */
  uint64_t used;
};

/* The amount that belongs to a counter, 0 at first.  Null where there is none yet, or with `make` where there is no
 * memory for it.  Valid until the next call.  */
uint64_t *pathrt_amount(struct pathrt_amounts *amounts, const uint64_t *counter, bool make);

/* Calls a function for each counter that has an amount.  */
void pathrt_each_amount(const struct pathrt_amounts *amounts, void (*visit)(uint64_t *counter, uint64_t amount));

/* Forgets all amounts and unmaps the memory.  */
void pathrt_amounts_release(struct pathrt_amounts *amounts);

#endif
