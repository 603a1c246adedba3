/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Sorts path counts in place.  */
#include "profile/format/counts.h"

#include "profile/format/saturate.h"

/* Sorts a few counts by insertion.  */
static void insert_each(struct pathprof_count *counts, uint64_t n) {
  for (uint64_t i = 1; i < n; i++) {
    struct pathprof_count moving = counts[i];
    uint64_t at = i;
    for (; at && counts[at - 1].id > moving.id; at--)
      counts[at] = counts[at - 1];
    counts[at] = moving;
  }
}

/* Sorts counts whose IDs are identical in all bits above `bit`, using radix exchange sort.  The sort works in place,
 * needs little stack space and has no pathological inputs. qsort is not used, because it can call malloc.  */
static void sort_by_bits(struct pathprof_count *counts, uint64_t n, unsigned bit) {
  enum { FEW = 16 };
  while (n > FEW) {
    uint64_t zeros = 0, end = n;
    while (zeros < end) {
      if (counts[zeros].id >> bit & 1) {
        struct pathprof_count one = counts[zeros];
        counts[zeros] = counts[--end];
        counts[end] = one;
      } else
        zeros++;
    }
    if (!bit--)
      return;
    sort_by_bits(counts, zeros, bit);
    counts += zeros;
    n -= zeros;
  }
  insert_each(counts, n);
}

void pathprof_sort_by_id(struct pathprof_count *counts, uint64_t n) {
  uint64_t differing = 0;
  for (uint64_t i = 1; i < n; i++)
    differing |= counts[i].id ^ counts[0].id;
  if (differing)
    sort_by_bits(counts, n, 63 - (unsigned)__builtin_clzll(differing));
}

uint64_t pathprof_sort_counts(struct pathprof_buffer *buffer) {
  struct pathprof_count *counts = (struct pathprof_count *)(void *)buffer->data;
  uint64_t n = buffer->size / sizeof *counts, sorted = 1, kept = 0;
  while (sorted < n && counts[sorted - 1].id < counts[sorted].id)
    sorted++;
  if (sorted >= n)
    return n;
  pathprof_sort_by_id(counts, n);
  for (uint64_t i = 0; i < n; i++) {
    if (!kept || counts[kept - 1].id != counts[i].id)
      counts[kept++] = counts[i];
    else
      counts[kept - 1].count = pathprof_saturating_add(counts[kept - 1].count, counts[i].count);
  }
  buffer->size = kept * sizeof *counts;
  return kept;
}
