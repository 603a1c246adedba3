/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#include "profile/counts.h"

#include "profile/image.h"

/* One step of heapsort: not qsort, which may call malloc.  */
static void sift_down(struct pathprof_count *heap, uint64_t at, uint64_t n) {
  struct pathprof_count sinking = heap[at];
  for (uint64_t child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && heap[child + 1].id > heap[child].id)
      child++;
    if (heap[child].id <= sinking.id)
      break;
    heap[at] = heap[child];
  }
  heap[at] = sinking;
}

static void sort(struct pathprof_count *counts, uint64_t n) {
  for (uint64_t i = n / 2; i-- > 0;)
    sift_down(counts, i, n);
  for (uint64_t end = n; end-- > 1;) {
    struct pathprof_count largest = counts[0];
    counts[0] = counts[end];
    counts[end] = largest;
    sift_down(counts, 0, end);
  }
}

uint64_t pathprof_sort_counts(struct pathprof_buffer *buffer) {
  struct pathprof_count *counts = (struct pathprof_count *)(void *)buffer->data;
  uint64_t n = buffer->size / sizeof *counts, sorted = 1, kept = 0;
  while (sorted < n && counts[sorted - 1].id < counts[sorted].id)
    sorted++;
  if (sorted >= n)
    return n;
  sort(counts, n);
  for (uint64_t i = 0; i < n; i++) {
    if (!kept || counts[kept - 1].id != counts[i].id)
      counts[kept++] = counts[i];
    else if (__builtin_add_overflow(counts[kept - 1].count, counts[i].count,
                                    &counts[kept - 1].count))
      counts[kept - 1].count = UINT64_MAX;
  }
  buffer->size = kept * sizeof *counts;
  return kept;
}

void pathprof_put_counts(struct pathprof_buffer *out, uint64_t previous, uint64_t index,
                         struct pathprof_buffer *buffer) {
  uint64_t n = pathprof_sort_counts(buffer), id = UINT64_MAX;
  const struct pathprof_count *counts = (const struct pathprof_count *)(const void *)buffer->data;
  pathprof_put_function(out, previous, index, n);
  for (uint64_t i = 0; i < n; i++) {
    pathprof_put_path(out, id, counts[i].id, counts[i].count);
    id = counts[i].id;
  }
}
