/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Implements a hash table that maps the addresses of counters to amounts.  The table uses linear probing and is at most
 * half full.  */
#define _GNU_SOURCE
#include "libpathrt/snapshot/amounts.h"

#include <stddef.h>

#include "libpathrt/memory/memory.h"
#include "profile/format/system.h"

struct pathrt_amount {
  const uint64_t *counter; /* null if the entry is free */
  uint64_t amount;
};

enum { FIRST_SIZE = 1 << 10 };

static struct pathrt_amount *find(struct pathrt_amount *in, uint64_t size, const uint64_t *counter) {
  uint64_t at = ((uintptr_t)counter >> 3) * 0x9e3779b97f4a7c15u >> 20;
  while (in[at & (size - 1)].counter && in[at & (size - 1)].counter != counter)
    at++;
  return &in[at & (size - 1)];
}

static bool grow(struct pathrt_amounts *amounts) {
  uint64_t size = amounts->size ? 2 * amounts->size : FIRST_SIZE;
  struct pathrt_amount *fresh = pathrt_map(size * sizeof *fresh);
  if (!fresh)
    return false;
  for (uint64_t i = 0; i < amounts->size; i++)
    if (amounts->entries[i].counter)
      *find(fresh, size, amounts->entries[i].counter) = amounts->entries[i];
  if (amounts->entries)
    pathprof_sys_munmap(amounts->entries, amounts->size * sizeof *fresh);
  amounts->entries = fresh;
  amounts->size = size;
  return true;
}

uint64_t *pathrt_amount(struct pathrt_amounts *amounts, const uint64_t *counter, bool make) {
  struct pathrt_amount *entry = amounts->size ? find(amounts->entries, amounts->size, counter) : NULL;
  if (entry && entry->counter)
    return &entry->amount;
  if (!make || (2 * amounts->used >= amounts->size && !grow(amounts)))
    return NULL;
  entry = find(amounts->entries, amounts->size, counter);
  entry->counter = counter;
  amounts->used++;
  return &entry->amount;
}

void pathrt_each_amount(const struct pathrt_amounts *amounts, void (*visit)(uint64_t *counter, uint64_t amount)) {
  for (uint64_t i = 0; i < amounts->size; i++)
    if (amounts->entries[i].counter)
      visit((uint64_t *)(uintptr_t)amounts->entries[i].counter, amounts->entries[i].amount);
}

void pathrt_amounts_release(struct pathrt_amounts *amounts) {
  static const struct pathrt_amounts none = {NULL, 0, 0};
  if (amounts->entries)
    pathprof_sys_munmap(amounts->entries, amounts->size * sizeof *amounts->entries);
  *amounts = none;
}
