/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Visits all of a module's counters, tables and forests, in the counter section and in each thread's copy of it.  */
#include "libpathrt/snapshot/all_counts.h"

#include <string.h>

#include "libpathrt/snapshot/written.h"
#include "libpathrt/memory/memory.h"
#include "libpathrt/storage/forest.h"
#include "libpathrt/storage/residual.h"
#include "libpathrt/storage/table.h"
#include "libpathrt/storage/thread.h"
#include "profile/format/system.h"

/* ---- functions for all tables ---- */

/* Calls `change` for each forest, including the forests in each thread's copy of the counter section.  */
static void each_forest(void (*change)(struct pathprof_forest *)) {
  for (pathrt_unit unit = pathrt_next_unit(NULL); unit; unit = pathrt_next_unit(unit))
    for (uint64_t i = 0; i < unit->num_tables; i++) {
      if (pathrt_forest_in(&unit->tables[i]))
        change(pathrt_forest_in(&unit->tables[i]));
      for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next) {
        struct pathprof_table *copy = pathrt_in_copy(thread, &unit->tables[i]);
        if (copy && pathrt_forest_in(copy))
          change(pathrt_forest_in(copy));
      }
    }
}

void pathrt_seal_forests(void) {
  each_forest(pathrt_seal_forest);
}

void pathrt_abandon_forests(void) {
  each_forest(pathrt_abandon_forest);
}

void pathrt_save_caches(struct pathprof_buffer *saved, uint64_t tls_counter_offset) {
  for (pathrt_unit unit = pathrt_next_unit(NULL); unit; unit = pathrt_next_unit(unit))
    for (uint64_t i = 0; i < unit->num_tables; i++) {
      pathrt_save_cache(saved, &unit->tables[i]);
      if (tls_counter_offset)
        pathrt_save_cache(saved, (void *)(uintptr_t)((uintptr_t)&unit->tables[i] + tls_counter_offset));
    }
}

/* ---- snapshots ---- */

/* Returns true if there are so many counters that asking the kernel which pages were touched is cheaper than reading
 * all pages.  */
static bool has_many_counters(void) {
  enum { MANY = 1 << 15 };
  uint64_t n = 0;
  for (pathrt_unit unit = pathrt_next_unit(NULL); unit; unit = pathrt_next_unit(unit))
    n += unit->num_counters + unit->num_tables * (sizeof *unit->tables / sizeof *unit->counters);
  return n >= MANY;
}

static struct pathrt_pages *pages; /* mapped for the first snapshot */

/* Returns an empty cache of page states, or null if memory is exhausted.  */
static struct pathrt_pages *get_pages(void) {
  if (!pages)
    pages = pathrt_try_map(sizeof *pages);
  if (pages)
    pathrt_pages_begin(pages);
  return pages;
}

static void release_pages(void) {
  if (pages)
    pathprof_sys_munmap(pages, sizeof *pages);
  pages = NULL;
}

void pathrt_begin_snapshot(struct pathrt_snapshot *snapshot, bool alone) {
  memset(snapshot, 0, sizeof *snapshot);
  snapshot->pages = get_pages();
  snapshot->in_file = pathrt_has_store();
  snapshot->reads_only = !snapshot->in_file && !alone;
  snapshot->sparse = snapshot->pages && !snapshot->in_file && has_many_counters();
}

void pathrt_end_snapshot(struct pathrt_snapshot *snapshot) {
  if (snapshot->pages)
    pathrt_pages_end(snapshot->pages);
}

void pathrt_snapshot_all_counters(struct pathrt_snapshot *snapshot, uint64_t *counters, uint64_t n) {
  pathrt_snapshot_counters(snapshot, counters, n);
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    if (pathrt_in_copy(thread, counters))
      pathrt_snapshot_counters(snapshot, pathrt_in_copy(thread, counters), n);
}

void pathrt_snapshot_all_tables(struct pathrt_snapshot *snapshot, pathrt_unit unit, uint64_t index) {
  struct pathprof_table *table = &unit->tables[index];
  pathrt_snapshot_table(snapshot, table);
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    if (pathrt_in_copy(thread, table))
      pathrt_snapshot_table(snapshot, pathrt_in_copy(thread, table));
}

/* Returns false if memory was exhausted.  */
static bool snapshot_all(struct pathrt_snapshot *snapshot) {
  for (pathrt_unit unit = pathrt_next_unit(NULL); unit; unit = pathrt_next_unit(unit)) {
    pathrt_snapshot_all_counters(snapshot, unit->counters, unit->num_counters);
    for (uint64_t i = 0; i < unit->num_tables; i++)
      pathrt_snapshot_all_tables(snapshot, unit, i);
  }
  pathrt_end_snapshot(snapshot);
  bool ok = !snapshot->journal.failed;
  pathrt_snapshot_free(snapshot);
  return ok;
}

void pathrt_discard_counts(bool alone) {
  struct pathrt_snapshot snapshot;
  pathrt_begin_snapshot(&snapshot, alone);
  snapshot.discard = true;
  snapshot_all(&snapshot);
}

bool pathrt_mark_counts(void) {
  struct pathrt_snapshot snapshot;
  pathrt_begin_marks();
  pathrt_begin_snapshot(&snapshot, false);
  snapshot.wanted = PATHRT_SET_MARKS;
  return snapshot_all(&snapshot);
}

void pathrt_release_counts(void) {
  for (pathrt_unit unit = pathrt_next_unit(NULL); unit; unit = pathrt_next_unit(unit))
    for (uint64_t i = 0; i < unit->num_tables; i++)
      if (pathrt_forest_in(&unit->tables[i]))
        pathrt_release_forest(pathrt_forest_in(&unit->tables[i]));
      else
        pathrt_table_release(&unit->tables[i]);
  pathrt_residual_release();
  pathrt_release_carved();
  release_pages();
  pathrt_written_release();
  pathrt_end_marks();
  pathrt_forget_units();
}
