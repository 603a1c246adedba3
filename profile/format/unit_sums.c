/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Builds the entries of a unit in the counts, cycles and forests sections.  */
#include "profile/format/unit_sums.h"

#include "profile/format/counts.h"
#include "profile/format/forest.h"
#include "profile/format/saturate.h"
#include "profile/format/wide.h"

static uint64_t cost_of(uint64_t count, uint64_t cost) {
  uint64_t high, low = pathprof_product(count, cost, &high);
  return high >> 8 ? UINT64_MAX : high << 56 | low >> 8;
}

/* Subtracts the cost of measuring from the cycles of each path.  The estimated cost of a short path can exceed its
 * cycles, which then become 0.  If a path has cycles but no count yet, its cycles are not changed, because a later dump
 * will contain the count.  Returns the total estimated cost.  */
static uint64_t subtract_cost(struct pathprof_buffer *cycles, struct pathprof_buffer *counts, uint64_t cost) {
  struct pathprof_count *sums = (struct pathprof_count *)(void *)cycles->data;
  const struct pathprof_count *count = (const struct pathprof_count *)(const void *)counts->data;
  uint64_t n = pathprof_sort_counts(cycles), num_counts = pathprof_sort_counts(counts), at = 0, kept = 0, all = 0;
  for (uint64_t i = 0; i < n; i++) {
    while (at < num_counts && count[at].id < sums[i].id)
      at++;
    if (at < num_counts && count[at].id == sums[i].id) {
      uint64_t of_path = cost_of(count[at].count, cost);
      sums[i].count -= of_path < sums[i].count ? of_path : sums[i].count;
      all = pathprof_saturating_add(all, of_path);
    }
    if (sums[i].count)
      sums[kept++] = sums[i];
  }
  cycles->size = kept * sizeof *sums;
  return all;
}

void pathprof_begin_unit_sums(struct pathprof_unit_sums *sums) {
  struct pathprof_unit_entry *entries[] = {&sums->counts, &sums->cycles, &sums->forests, &sums->measuring};
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    entries[i]->functions.size = 0;
    entries[i]->num_functions = 0;
    entries[i]->previous = UINT64_MAX;
  }
}

void pathprof_free_unit_sums(struct pathprof_unit_sums *sums) {
  pathprof_buffer_free(&sums->counts.functions);
  pathprof_buffer_free(&sums->cycles.functions);
  pathprof_buffer_free(&sums->forests.functions);
  pathprof_buffer_free(&sums->measuring.functions);
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

static void put_measuring(struct pathprof_unit_entry *entry, uint64_t index, uint64_t cycles) {
  if (!cycles)
    return;
  pathprof_put_function(&entry->functions, entry->previous, index, 1);
  pathprof_put_path(&entry->functions, UINT64_MAX, 0, cycles);
  entry->previous = index;
  entry->num_functions++;
}

void pathprof_put_function_sums(struct pathprof_unit_sums *sums, uint64_t index, struct pathprof_buffer *counts,
                                struct pathprof_buffer *cycles, uint64_t cost) {
  uint64_t measuring = subtract_cost(cycles, counts, cost);
  put_function(&sums->counts, index, counts);
  put_function(&sums->cycles, index, cycles);
  put_measuring(&sums->measuring, index, measuring);
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
  put_entry(&writer->section[PATHPROF_SECTION_MEASURING], &sums->measuring);
  writer->has_cycles |= sums->cycles.num_functions != 0;
  writer->has_forests |= sums->forests.num_functions != 0;
  writer->has_measuring |= sums->measuring.num_functions != 0;
}
