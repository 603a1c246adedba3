/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A hash table by address, with linear probing; at most half full.  */
#define _GNU_SOURCE
#include "libpathrt/harvest/written.h"

#include <stddef.h>
#include <sys/mman.h>

#include "libpathrt/memory/memory.h"

struct entry {
  const uint64_t *counter; /* null: free */
  uint64_t amount;
};

enum { FIRST_SIZE = 1 << 10 };

static struct entry *entries;
static uint64_t size; /* a power of two, or 0 */
static uint64_t used;

static struct entry *find(struct entry *in, uint64_t in_size, const uint64_t *counter) {
  uint64_t at = ((uintptr_t)counter >> 3) * 0x9e3779b97f4a7c15u >> 20;
  while (in[at & (in_size - 1)].counter && in[at & (in_size - 1)].counter != counter)
    at++;
  return &in[at & (in_size - 1)];
}

static bool grow(void) {
  uint64_t new_size = size ? 2 * size : FIRST_SIZE;
  struct entry *fresh = pathrt_map(new_size * sizeof *fresh);
  if (!fresh)
    return false;
  for (uint64_t i = 0; i < size; i++)
    if (entries[i].counter)
      *find(fresh, new_size, entries[i].counter) = entries[i];
  if (entries)
    munmap(entries, size * sizeof *entries);
  entries = fresh;
  size = new_size;
  return true;
}

uint64_t *pathrt_written(const uint64_t *counter, bool make) {
  struct entry *entry = size ? find(entries, size, counter) : NULL;
  if (entry && entry->counter)
    return &entry->amount;
  if (!make || (2 * used >= size && !grow()))
    return NULL;
  entry = find(entries, size, counter);
  entry->counter = counter;
  used++;
  return &entry->amount;
}

void pathrt_written_release(void) {
  if (entries)
    munmap(entries, size * sizeof *entries);
  entries = NULL;
  size = used = 0;
}
