/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#include "libpathrt/harvest/all_counts.h"

#include <string.h>

#include "libpathrt/harvest/written.h"
#include "libpathrt/memory/memory.h"
#include "libpathrt/storage/forest.h"
#include "libpathrt/storage/residual.h"
#include "libpathrt/storage/table.h"
#include "libpathrt/storage/thread.h"

/* ---- all of them ---- */

/* Does something with all forests, those in threads' copies included.  */
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

void pathrt_save_caches(struct pathprof_buffer *saved, uint64_t to_own) {
  for (pathrt_unit unit = pathrt_next_unit(NULL); unit; unit = pathrt_next_unit(unit))
    for (uint64_t i = 0; i < unit->num_tables; i++) {
      pathrt_save_cache(saved, &unit->tables[i]);
      if (to_own)
        pathrt_save_cache(saved, (void *)((uintptr_t)&unit->tables[i] + to_own));
    }
}

/* ---- taking ---- */

/* Whether asking which pages of counters and heads were touched is cheaper than looking at all.  */
static bool has_many_counters(void) {
  enum { MANY = 1 << 15 };
  uint64_t n = 0;
  for (pathrt_unit unit = pathrt_next_unit(NULL); unit; unit = pathrt_next_unit(unit))
    n += unit->num_counters + unit->num_tables * (sizeof *unit->tables / sizeof *unit->counters);
  return n >= MANY;
}

void pathrt_begin_taking(struct pathrt_taker *taker, bool alone) {
  static struct pathrt_pages pages; /* too large for the stack of a small thread */
  memset(taker, 0, sizeof *taker);
  pathrt_pages_begin(&pages);
  taker->pages = &pages;
  taker->in_file = pathrt_has_store();
  taker->reads_only = !taker->in_file && !alone;
  taker->sparse = !taker->in_file && has_many_counters();
}

void pathrt_end_taking(struct pathrt_taker *taker) {
  pathrt_pages_end(taker->pages);
}

void pathrt_take_all_counters(struct pathrt_taker *taker, uint64_t *counters, uint64_t n) {
  pathrt_take_counters(taker, counters, n);
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    if (pathrt_in_copy(thread, counters))
      pathrt_take_counters(taker, pathrt_in_copy(thread, counters), n);
}

void pathrt_take_all_tables(struct pathrt_taker *taker, pathrt_unit unit, uint64_t index) {
  struct pathprof_table *table = &unit->tables[index];
  pathrt_take_table(taker, table);
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    if (pathrt_in_copy(thread, table))
      pathrt_take_table(taker, pathrt_in_copy(thread, table));
}

/* False where there was no memory for something.  */
static bool take_all(struct pathrt_taker *taker) {
  for (pathrt_unit unit = pathrt_next_unit(NULL); unit; unit = pathrt_next_unit(unit)) {
    pathrt_take_all_counters(taker, unit->counters, unit->num_counters);
    for (uint64_t i = 0; i < unit->num_tables; i++)
      pathrt_take_all_tables(taker, unit, i);
  }
  pathrt_end_taking(taker);
  bool ok = !taker->taken.failed;
  pathrt_taker_free(taker);
  return ok;
}

void pathrt_discard_counts(bool alone) {
  struct pathrt_taker taker;
  pathrt_begin_taking(&taker, alone);
  taker.discard = true;
  take_all(&taker);
}

bool pathrt_mark_counts(void) {
  struct pathrt_taker taker;
  pathrt_begin_marks();
  pathrt_begin_taking(&taker, false);
  taker.wanted = PATHRT_SET_MARKS;
  return take_all(&taker);
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
  pathrt_written_release();
  pathrt_end_marks();
  pathrt_forget_units();
}
