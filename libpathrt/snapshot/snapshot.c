/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Takes snapshots: reads or resets counters, tables and forests.  */
#define _GNU_SOURCE
#include "libpathrt/snapshot/snapshot.h"

#include <stddef.h>

#include "libpathrt/snapshot/written.h"
#include "libpathrt/process/message.h"
#include "libpathrt/storage/counter.h"
#include "libpathrt/storage/forest.h"
#include "libpathrt/storage/table.h"
#include "profile/format/counts.h"

struct journal_entry {
  uint64_t *counter;
  uint64_t value;
};

static uint64_t set_to_zero(uint64_t *counter) {
  uint64_t value = __atomic_exchange_n(counter, 0, __ATOMIC_RELAXED);
  pathrt_move_mark(counter, 0 - value);
  return value;
}

/* Returns the amount that the snapshot collects from a counter.  Depending on `snapshot->wanted`, this is the number of
 * increments since the last snapshot or since the mark was set, or the provisional count.  Returns 0 if memory is
 * exhausted.  */
static uint64_t snapshot_value(const struct pathrt_snapshot *snapshot, uint64_t *counter) {
  if (snapshot->wanted == PATHRT_SINCE_MARKS)
    return pathrt_since_mark(counter, pathrt_load(counter));
  if (snapshot->wanted == PATHRT_PROVISIONAL)
    return pathrt_provisional(counter);
  uint64_t *written = snapshot->in_file ? NULL : pathrt_written(counter, snapshot->reads_only);
  if (snapshot->in_file && !snapshot->discard)
    return pathrt_load(counter);
  if (snapshot->reads_only && !written)
    return 0;
  uint64_t before = written ? *written : 0;
  uint64_t now = snapshot->reads_only ? pathrt_load(counter) : set_to_zero(counter);
  if (written)
    *written = snapshot->reads_only ? now : 0;
  return now - before;
}

/* Returns true if a counter may have to be included even though its value is 0, because it was reset after its mark was
 * set or after its provisional count was added.  */
static bool may_be_zero(const struct pathrt_snapshot *snapshot) {
  return snapshot->wanted == PATHRT_PROVISIONAL ||
         (snapshot->wanted == PATHRT_SINCE_MARKS && pathrt_marks_have_moved());
}

/* Does not call memcpy, because the program might define its own instrumented memcpy, which would change counters
 * during the snapshot.  */
void pathrt_snapshot_counter(struct pathrt_snapshot *snapshot, uint64_t id, uint64_t *counter) {
  if (!pathrt_load(counter) && !may_be_zero(snapshot))
    return;
  if (snapshot->wanted == PATHRT_SET_MARKS) {
    snapshot->journal.failed |= !pathrt_mark(counter, pathrt_load(counter));
    return;
  }
  if (snapshot->discard) {
    snapshot_value(snapshot, counter);
    return;
  }
  struct pathprof_buffer *values = snapshot->of_cycles ? &snapshot->cycles : &snapshot->counts;
  struct pathprof_count *count = (void *)pathprof_reserve(values, sizeof *count);
  struct journal_entry *journal = (void *)pathprof_reserve(&snapshot->journal, sizeof *journal);
  uint64_t value = count && journal ? snapshot_value(snapshot, counter) : 0;
  if (!value)
    return;
  count->id = id;
  count->count = value;
  journal->counter = counter;
  journal->value = value;
  values->size += sizeof *count;
  snapshot->journal.size += sizeof *journal;
}

void pathrt_snapshot_counters(struct pathrt_snapshot *snapshot, uint64_t *counters, uint64_t n) {
  uint64_t page_size = snapshot->sparse ? snapshot->pages->page_size : 0;
  bool takes_zeros = may_be_zero(snapshot);
  for (uint64_t i = 0; i < n;) {
    uint64_t end = n;
    if (snapshot->sparse) {
      uint64_t in_page = (page_size - (uintptr_t)&counters[i] % page_size) / sizeof *counters;
      if (in_page < n - i)
        end = i + in_page;
      if (!pathrt_is_touched(snapshot->pages, &counters[i]))
        i = end;
    }
    for (; i < end; i++)
      if (takes_zeros || pathrt_load(&counters[i]))
        pathrt_snapshot_counter(snapshot, i, &counters[i]);
  }
}

static void snapshot_slots(struct pathrt_snapshot *snapshot, struct pathprof_slot *slots, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if (pathrt_load(&slots[i].key))
      pathrt_snapshot_counter(snapshot, pathrt_load(&slots[i].key) - 1, &slots[i].count);
}

static void discard_chunk(struct pathprof_chunk *chunk, void *snapshot) {
  for (uint64_t i = 0; i < pathrt_nodes_in(chunk); i++)
    pathrt_snapshot_counter(snapshot, 0, &chunk->nodes[i].count);
}

static void discard_forest(struct pathrt_snapshot *snapshot, struct pathprof_forest *forest) {
  pathrt_visit_chunks(forest, discard_chunk, snapshot);
}

void pathrt_snapshot_table(struct pathrt_snapshot *snapshot, struct pathprof_table *table) {
  if (snapshot->sparse && !pathrt_is_touched(snapshot->pages, table))
    return;
  if (pathrt_forest_in(table)) {
    discard_forest(snapshot, pathrt_forest_in(table));
    return;
  }
  struct pathprof_block *block = __atomic_load_n(&table->slots, __ATOMIC_ACQUIRE);
  struct pathrt_cache cache = pathrt_cache_of(table);
  snapshot_slots(snapshot, cache.slots, cache.size);
  for (; block; block = block->older) {
    struct pathprof_block *overflow_blocks = __atomic_load_n(&block->overflow_blocks, __ATOMIC_ACQUIRE);
    for (; overflow_blocks; overflow_blocks = overflow_blocks->older)
      snapshot_slots(snapshot, overflow_blocks->slots, overflow_blocks->mask + 1);
    snapshot_slots(snapshot, block->slots, block->mask + 1);
  }
  uint64_t *counters = __atomic_load_n(&table->counters, __ATOMIC_ACQUIRE);
  if (!counters)
    return;
  bool sparse = snapshot->sparse;
  snapshot->sparse = !snapshot->in_file && snapshot->pages;
  pathrt_snapshot_counters(snapshot, counters, pathrt_load(&table->num_paths));
  snapshot->sparse = sparse;
}

void pathrt_roll_back(const struct pathrt_snapshot *snapshot) {
  const struct journal_entry *journal = (const struct journal_entry *)snapshot->journal.data;
  for (size_t i = 0; i < snapshot->journal.size / sizeof *journal; i++) {
    uint64_t *written = snapshot->reads_only ? pathrt_written(journal[i].counter, false) : NULL;
    if (written)
      *written -= journal[i].value;
    else {
      __atomic_fetch_add(journal[i].counter, journal[i].value, __ATOMIC_RELAXED);
      pathrt_move_mark(journal[i].counter, journal[i].value);
    }
  }
}

void pathrt_deduct(const struct pathrt_snapshot *snapshot) {
  const struct journal_entry *journal = (const struct journal_entry *)snapshot->journal.data;
  for (size_t i = 0; i < snapshot->journal.size / sizeof *journal; i++) {
    __atomic_fetch_sub(journal[i].counter, journal[i].value, __ATOMIC_RELAXED);
    pathrt_move_mark(journal[i].counter, 0 - journal[i].value);
  }
}

void pathrt_snapshot_free(struct pathrt_snapshot *snapshot) {
  pathprof_buffer_free(&snapshot->counts);
  pathprof_buffer_free(&snapshot->cycles);
  pathprof_buffer_free(&snapshot->journal);
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

/* Returns false if memory is exhausted.  */
static bool list_chunks(struct pathprof_forest *forest, struct pathprof_buffer *refs) {
  pathrt_visit_chunks(forest, put_ref, refs);
  return !refs->failed;
}

static bool snapshot_nodes(struct pathrt_snapshot *snapshot, const struct pathprof_chunk_ref *refs, uint64_t n,
                           const uint64_t *places, struct pathprof_forest_sum *sum) {
  snapshot->counts.size = 0;
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t node = 0; node < refs[i].size; node++)
      if (places[refs[i].first + node])
        pathrt_snapshot_counter(snapshot, places[refs[i].first + node], (uint64_t *)&refs[i].nodes[node].count);
  const struct pathprof_count *counts = (const void *)snapshot->counts.data;
  for (uint64_t i = 0; i < snapshot->counts.size / sizeof *counts; i++)
    pathprof_sum_add(sum, counts[i].id, counts[i].count);
  return !snapshot->counts.failed && !snapshot->journal.failed;
}

bool pathrt_snapshot_forest(struct pathrt_snapshot *snapshot, struct pathprof_forest *forest, uint64_t num_paths,
                            uint64_t k, struct pathprof_forest_sum *sum) {
  struct pathprof_buffer chunks = {0}, places = {0};
  bool ok = list_chunks(forest, &chunks);
  struct pathprof_chunk_ref *refs = (void *)chunks.data;
  uint64_t n = chunks.size / sizeof *refs, num_nodes = ok ? pathprof_number_chunks(refs, n) : 0;
  uint64_t *place = (void *)pathprof_reserve(&places, num_nodes * sizeof *place + sizeof *place);
  if (pathrt_load(&forest->is_pruned))
    sum->flags |= PATHPROF_FOREST_PRUNED;
  if (ok && place) {
    const char *wrong =
        pathprof_place_nodes(sum, refs, n, (uintptr_t)&forest->root, num_paths, pathprof_forest_depth(k), place);
    ok = !wrong && snapshot_nodes(snapshot, refs, n, place, sum);
    if (wrong)
      pathrt_error("cannot collect the path sequences of a function: ", wrong, NULL);
  }
  pathprof_buffer_free(&chunks);
  pathprof_buffer_free(&places);
  return ok && place;
}
