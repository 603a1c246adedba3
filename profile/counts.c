/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#include "profile/counts.h"

#include "profile/forest.h"
#include "profile/image.h"

/* A few of them.  */
static void insert_each(struct pathprof_count *counts, uint64_t n) {
  for (uint64_t i = 1; i < n; i++) {
    struct pathprof_count moving = counts[i];
    uint64_t at = i;
    for (; at && counts[at - 1].id > moving.id; at--)
      counts[at] = counts[at - 1];
    counts[at] = moving;
  }
}

/* The bits above `bit` are the same in all of them.  In place, with little stack and no bad case (qsort may call
 * malloc): the zeros of a bit come before its ones.  */
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
    else if (__builtin_add_overflow(counts[kept - 1].count, counts[i].count, &counts[kept - 1].count))
      counts[kept - 1].count = UINT64_MAX;
  }
  buffer->size = kept * sizeof *counts;
  return kept;
}

/* Never below zero: a short path's sum may be less than what it should have cost.  */
static uint64_t less_cost(uint64_t cycles, uint64_t count, uint64_t cost) {
  unsigned __int128 all = (unsigned __int128)count * cost >> 8;
  return cycles > all ? cycles - (uint64_t)all : 0;
}

/* Cycles without a count stay as they are: their path is counted in a later dump.  */
static void subtract_cost(struct pathprof_buffer *cycles, struct pathprof_buffer *counts, uint64_t cost) {
  struct pathprof_count *sums = (struct pathprof_count *)(void *)cycles->data;
  const struct pathprof_count *count = (const struct pathprof_count *)(const void *)counts->data;
  uint64_t n = pathprof_sort_counts(cycles), num_counts = pathprof_sort_counts(counts), at = 0, kept = 0;
  for (uint64_t i = 0; i < n; i++) {
    while (at < num_counts && count[at].id < sums[i].id)
      at++;
    if (at < num_counts && count[at].id == sums[i].id)
      sums[i].count = less_cost(sums[i].count, count[at].count, cost);
    if (sums[i].count)
      sums[kept++] = sums[i];
  }
  cycles->size = kept * sizeof *sums;
}

void pathprof_begin_unit_sums(struct pathprof_unit_sums *sums) {
  struct pathprof_unit_entry *entries[] = {&sums->counts, &sums->cycles, &sums->forests};
  for (int i = 0; i < 3; i++) {
    entries[i]->functions.size = 0;
    entries[i]->num_functions = 0;
    entries[i]->previous = UINT64_MAX;
  }
}

void pathprof_free_unit_sums(struct pathprof_unit_sums *sums) {
  pathprof_buffer_free(&sums->counts.functions);
  pathprof_buffer_free(&sums->cycles.functions);
  pathprof_buffer_free(&sums->forests.functions);
}

static void put_function(struct pathprof_unit_entry *entry, uint64_t index, struct pathprof_buffer *buffer) {
  uint64_t n = pathprof_sort_counts(buffer), id = UINT64_MAX;
  const struct pathprof_count *counts = (const struct pathprof_count *)(const void *)buffer->data;
  if (!n)
    return;
  pathprof_put_function(&entry->functions, entry->previous, index, n);
  for (uint64_t i = 0; i < n; i++) {
    pathprof_put_path(&entry->functions, id, counts[i].id, counts[i].count);
    id = counts[i].id;
  }
  entry->previous = index;
  entry->num_functions++;
}

void pathprof_put_function_sums(struct pathprof_unit_sums *sums, uint64_t index, struct pathprof_buffer *counts,
                                struct pathprof_buffer *cycles, uint64_t cost) {
  subtract_cost(cycles, counts, cost);
  put_function(&sums->counts, index, counts);
  put_function(&sums->cycles, index, cycles);
}

bool pathprof_put_function_forest(struct pathprof_unit_sums *sums, uint64_t index,
                                  const struct pathprof_forest_sum *forest, struct pathprof_buffer *counts,
                                  struct pathprof_forest_put *put) {
  struct pathprof_unit_entry *entry = &sums->forests;
  counts->size = 0;
  pathprof_sum_paths(forest, counts);
  if (counts->failed || !pathprof_put_forest_sum(forest, put))
    return false;
  put_function(&sums->counts, index, counts);
  if (!put->num_nodes)
    return true;
  pathprof_put_forest(&entry->functions, entry->previous, index, forest->flags, put);
  entry->previous = index;
  entry->num_functions++;
  return true;
}

static void put_entry(struct pathprof_buffer *out, const struct pathprof_unit_entry *entry) {
  pathprof_put_varint(out, entry->num_functions);
  pathprof_put_bytes(out, entry->functions.data, entry->functions.size);
  out->failed |= entry->functions.failed;
}

void pathprof_put_unit_sums(struct pathprof_writer *writer, const struct pathprof_unit_sums *sums) {
  put_entry(&writer->section[PATHPROF_SECTION_COUNTS], &sums->counts);
  put_entry(&writer->section[PATHPROF_SECTION_CYCLES], &sums->cycles);
  put_entry(&writer->section[PATHPROF_SECTION_FORESTS], &sums->forests);
  writer->has_cycles |= sums->cycles.num_functions != 0;
  writer->has_forests |= sums->forests.num_functions != 0;
}
