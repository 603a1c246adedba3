/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Stores an amount for each counter, such as the part of the counter's value that has already been written to a
 * profile.  The caller must have entered the registry (libpathrt/process/entry.h).  */
#ifndef PATHRT_AMOUNTS_H
#define PATHRT_AMOUNTS_H

#include <stdbool.h>
#include <stdint.h>

struct pathrt_amounts {
  struct pathrt_amount *entries;
  uint64_t size; /* power of two, or 0 */
  uint64_t used;
};

/* Returns a pointer to the amount stored for a counter, or null if no amount is stored.  If `make` is true and no
 * amount is stored, stores the amount 0, and returns null only if memory is exhausted.  The pointer is valid until the
 * next call.  */
uint64_t *pathrt_amount(struct pathrt_amounts *amounts, const uint64_t *counter, bool make);

/* Calls `visit` for each counter for which an amount is stored.  */
void pathrt_each_amount(const struct pathrt_amounts *amounts, void (*visit)(uint64_t *counter, uint64_t amount));

/* Removes all stored amounts and unmaps the memory that held them.  */
void pathrt_amounts_release(struct pathrt_amounts *amounts);

#endif
