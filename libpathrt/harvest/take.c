/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#define _GNU_SOURCE
#include "libpathrt/harvest/take.h"

#include <stddef.h>

#include "libpathrt/harvest/written.h"
#include "libpathrt/process/message.h"
#include "libpathrt/storage/counter.h"
#include "libpathrt/storage/forest.h"
#include "libpathrt/storage/table.h"
#include "profile/format/counts.h"

struct taken {
  uint64_t *counter;
  uint64_t value;
};

static uint64_t set_to_zero(uint64_t *counter) {
  uint64_t value = __atomic_exchange_n(counter, 0, __ATOMIC_RELAXED);
  pathrt_move_mark(counter, 0 - value);
  return value;
}

/* Takes what a counter has counted since it was last taken from.  0 also where there is no memory.  */
static uint64_t take_value(const struct pathrt_taker *taker, uint64_t *counter) {
  if (taker->wanted == PATHRT_SINCE_MARKS)
    return pathrt_since_mark(counter, pathrt_load(counter));
  if (taker->wanted == PATHRT_PROVISIONAL)
    return pathrt_provisional(counter);
  uint64_t *written = taker->in_file ? NULL : pathrt_written(counter, taker->reads_only);
  if (taker->in_file && !taker->discard)
    return pathrt_load(counter);
  if (taker->reads_only && !written)
    return 0;
  uint64_t before = written ? *written : 0;
  uint64_t now = taker->reads_only ? pathrt_load(counter) : set_to_zero(counter);
  if (written)
    *written = taker->reads_only ? now : 0;
  return now - before;
}

/* Whether a counter that is 0 now may have counted: it was set to that since its mark, or since its provisional counts
 * were written.  */
static bool may_be_zero(const struct pathrt_taker *taker) {
  return taker->wanted == PATHRT_PROVISIONAL || (taker->wanted == PATHRT_SINCE_MARKS && pathrt_marks_have_moved());
}

/* Nothing here calls memcpy: a program's own is instrumented, and would count while its own counts are
 * taken.  */
void pathrt_take_counter(struct pathrt_taker *taker, uint64_t id, uint64_t *counter) {
  if (!pathrt_load(counter) && !may_be_zero(taker))
    return;
  if (taker->wanted == PATHRT_SET_MARKS) {
    taker->taken.failed |= !pathrt_mark(counter, pathrt_load(counter));
    return;
  }
  if (taker->discard) {
    take_value(taker, counter);
    return;
  }
  struct pathprof_buffer *values = taker->takes_cycles ? &taker->cycles : &taker->counts;
  struct pathprof_count *count = (void *)pathprof_reserve(values, sizeof *count);
  struct taken *taken = (void *)pathprof_reserve(&taker->taken, sizeof *taken);
  uint64_t value = count && taken ? take_value(taker, counter) : 0;
  if (!value)
    return;
  count->id = id;
  count->count = value;
  taken->counter = counter;
  taken->value = value;
  values->size += sizeof *count;
  taker->taken.size += sizeof *taken;
}

void pathrt_take_counters(struct pathrt_taker *taker, uint64_t *counters, uint64_t n) {
  uint64_t page_size = taker->sparse ? taker->pages->page_size : 0;
  bool takes_zeros = may_be_zero(taker);
  for (uint64_t i = 0; i < n;) {
    uint64_t end = n;
    if (taker->sparse) {
      uint64_t in_page = (page_size - (uintptr_t)&counters[i] % page_size) / sizeof *counters;
      if (in_page < n - i)
        end = i + in_page;
      if (!pathrt_is_touched(taker->pages, &counters[i]))
        i = end;
    }
    for (; i < end; i++)
      if (takes_zeros || pathrt_load(&counters[i]))
        pathrt_take_counter(taker, i, &counters[i]);
  }
}

static void take_slots(struct pathrt_taker *taker, struct pathprof_slot *slots, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if (pathrt_load(&slots[i].key))
      pathrt_take_counter(taker, pathrt_load(&slots[i].key) - 1, &slots[i].count);
}

static void discard_chunk(struct pathprof_chunk *chunk, void *taker) {
  for (uint64_t i = 0; i < pathrt_nodes_in(chunk); i++)
    pathrt_take_counter(taker, 0, &chunk->nodes[i].count);
}

static void discard_forest(struct pathrt_taker *taker, struct pathprof_forest *forest) {
  pathrt_visit_chunks(forest, discard_chunk, taker);
}

void pathrt_take_table(struct pathrt_taker *taker, struct pathprof_table *table) {
  if (taker->sparse && !pathrt_is_touched(taker->pages, table))
    return;
  if (pathrt_forest_in(table)) {
    discard_forest(taker, pathrt_forest_in(table));
    return;
  }
  struct pathprof_block *block = __atomic_load_n(&table->slots, __ATOMIC_ACQUIRE);
  struct pathrt_cache cache = pathrt_cache_of(table);
  take_slots(taker, cache.slots, cache.size);
  for (; block; block = block->older) {
    struct pathprof_block *beyond = __atomic_load_n(&block->beyond, __ATOMIC_ACQUIRE);
    for (; beyond; beyond = beyond->older)
      take_slots(taker, beyond->slots, beyond->mask + 1);
    take_slots(taker, block->slots, block->mask + 1);
  }
  uint64_t *counters = __atomic_load_n(&table->counters, __ATOMIC_ACQUIRE);
  if (!counters)
    return;
  bool sparse = taker->sparse;
  taker->sparse = !taker->in_file && taker->pages;
  pathrt_take_counters(taker, counters, pathrt_load(&table->num_paths));
  taker->sparse = sparse;
}

void pathrt_give_back(const struct pathrt_taker *taker) {
  const struct taken *taken = (const struct taken *)taker->taken.data;
  for (size_t i = 0; i < taker->taken.size / sizeof *taken; i++) {
    uint64_t *written = taker->reads_only ? pathrt_written(taken[i].counter, false) : NULL;
    if (written)
      *written -= taken[i].value;
    else {
      __atomic_fetch_add(taken[i].counter, taken[i].value, __ATOMIC_RELAXED);
      pathrt_move_mark(taken[i].counter, taken[i].value);
    }
  }
}

void pathrt_deduct(const struct pathrt_taker *taker) {
  const struct taken *taken = (const struct taken *)taker->taken.data;
  for (size_t i = 0; i < taker->taken.size / sizeof *taken; i++) {
    __atomic_fetch_sub(taken[i].counter, taken[i].value, __ATOMIC_RELAXED);
    pathrt_move_mark(taken[i].counter, 0 - taken[i].value);
  }
}

void pathrt_taker_free(struct pathrt_taker *taker) {
  pathprof_buffer_free(&taker->counts);
  pathprof_buffer_free(&taker->cycles);
  pathprof_buffer_free(&taker->taken);
}

/* ---- forests ---- */

static void put_ref(struct pathprof_chunk *chunk, void *data) {
  struct pathprof_buffer *refs = data;
  struct pathprof_chunk_ref *ref = (void *)pathprof_reserve(refs, sizeof *ref);
  if (!ref)
    return;
  ref->address = (uintptr_t)chunk->nodes;
  ref->first = 0;
  ref->nodes = chunk->nodes;
  ref->size = pathrt_nodes_in(chunk);
  refs->size += sizeof *ref;
}

/* False without memory.  */
static bool list_chunks(struct pathprof_forest *forest, struct pathprof_buffer *refs) {
  pathrt_visit_chunks(forest, put_ref, refs);
  return !refs->failed;
}

static bool take_nodes(struct pathrt_taker *taker, const struct pathprof_chunk_ref *refs, uint64_t n,
                       const uint64_t *places, struct pathprof_forest_sum *sum) {
  taker->counts.size = 0;
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t node = 0; node < refs[i].size; node++)
      if (places[refs[i].first + node])
        pathrt_take_counter(taker, places[refs[i].first + node], (uint64_t *)&refs[i].nodes[node].count);
  const struct pathprof_count *counts = (const void *)taker->counts.data;
  for (uint64_t i = 0; i < taker->counts.size / sizeof *counts; i++)
    pathprof_sum_add(sum, counts[i].id, counts[i].count);
  return !taker->counts.failed && !taker->taken.failed;
}

bool pathrt_take_forest(struct pathrt_taker *taker, struct pathprof_forest *forest, uint64_t num_paths, uint64_t k,
                        struct pathprof_forest_sum *sum) {
  struct pathprof_buffer chunks = {0}, places = {0};
  bool ok = list_chunks(forest, &chunks);
  struct pathprof_chunk_ref *refs = (void *)chunks.data;
  uint64_t n = chunks.size / sizeof *refs, num_nodes = ok ? pathprof_number_chunks(refs, n) : 0;
  uint64_t *place = (void *)pathprof_reserve(&places, num_nodes * sizeof *place + sizeof *place);
  if (pathrt_load(&forest->is_pruned))
    sum->flags |= PATHPROF_FOREST_PRUNED;
  if (ok && place) {
    const char *wrong =
        pathprof_place_nodes(sum, refs, n, (uintptr_t)&forest->star, num_paths, pathprof_forest_depth(k), place);
    ok = !wrong && take_nodes(taker, refs, n, place, sum);
    if (wrong)
      pathrt_error("the sequences of paths of a function cannot be collected: ", wrong, NULL);
  }
  pathprof_buffer_free(&chunks);
  pathprof_buffer_free(&places);
  return ok && place;
}
