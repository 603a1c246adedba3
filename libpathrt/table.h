/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The tables that hold the path counts of functions with too many paths for an array, and taking
 * counts out of tables and arrays.
 *
 * Everything here is lock-free.  Threads that race may lose counts (update=single), but nothing
 * else: a slot, once a path has it, belongs to that path for good, and memory that was handed out
 * is never unmapped.  */
#ifndef PATHRT_TABLE_H
#define PATHRT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libpathrt/pages.h"
#include "profile/abi.h"
#include "profile/bytes.h"
#include "profile/counts.h"
#include "profile/raw.h"

/* Counts one execution of the path whose number is key - 1: instrumented code (PATHPROF_COUNT_SYMBOL) has the key at
 * hand.  May be called from any context, signal handlers included, and leaves errno alone.  */
void __pathrt_count(struct pathprof_table *table, uint64_t key);
/* The same, exact while threads race.  */
void __pathrt_count_atomic(struct pathprof_table *table, uint64_t key);
/* The same in a program's table, which has this front.  */
void __pathrt_count_program(struct pathprof_table *table, uint64_t key, struct pathprof_slot *front);
void __pathrt_count_program_atomic(struct pathprof_table *table, uint64_t key, struct pathprof_slot *front);
/* The same, by the path's number, in a program's table that is to have an array of num_paths counters: while there is
 * none.  */
void __pathrt_count_mapped(struct pathprof_table *table, uint64_t id, uint64_t num_paths);
void __pathrt_count_mapped_atomic(struct pathprof_table *table, uint64_t id, uint64_t num_paths);
/* Adds to the cycles spent on a path, in a table of cycles; likewise.  */
void __pathrt_spend(struct pathprof_table *table, uint64_t id, uint64_t cycles);
void __pathrt_spend_atomic(struct pathprof_table *table, uint64_t id, uint64_t cycles);

/* Adds to a path's count, as those do.  Returns whether the counter was zero: the path may have others.  */
bool pathrt_table_add(struct pathprof_table *table, uint64_t id, uint64_t amount, bool atomic);

/* Zeroed memory, lazily touched, that is the caller's to unmap.  Null after a message, once.  */
void *pathrt_map(size_t size);
/* Zeroed memory of at most 16 KB for good; at a cache line's start.  */
void *pathrt_carve(size_t size);

/* Memory for counts, zeroed: from the file in continuous mode, else the process's own.  */
void *pathrt_map_counts(size_t size);
void pathrt_unmap_counts(void *counts, size_t size);
/* The same, never in a file.  */
void *pathrt_map_private(size_t size);
void pathrt_unmap_private(void *data, size_t size);

/* From now on counts the function's paths in an array of num_paths counters, mapped when first
 * needed.  */
void pathrt_table_use_array(struct pathprof_table *table, uint64_t num_paths);

/* Appends who has slots of the table's front, to be restored when its memory is fresh: somebody may have
 * been interrupted between the look at a key and the increment.  `program_front`: as in the unit, or null.  */
void pathrt_save_front(struct pathprof_buffer *saved, struct pathprof_table *table,
                       struct pathprof_slot *program_front);
void pathrt_restore_fronts(const struct pathprof_buffer *saved);

/* Unmaps a table's memory, then what tables share.  Nobody may count any more.  */
void pathrt_table_release(struct pathprof_table *table, struct pathprof_slot *program_front);
void pathrt_tables_release_rest(void);

/* Takes counts out of counters.  */
struct pathrt_taker {
  struct pathprof_buffer counts; /* struct pathprof_count: what was taken since `counts.size` was 0 */
  struct pathprof_buffer cycles; /* the same, of what is taken while takes_cycles */
  bool takes_cycles;
  struct pathprof_buffer taken; /* what was taken from where, for pathrt_give_back */
  bool discard;                 /* what is taken is forgotten */
  bool reads_only;              /* somebody may be counting: libpathrt/written.h; else counters get zero */
  bool in_file;                 /* continuous mode: counters keep their values until pathrt_deduct */
  bool sparse;                  /* ask the kernel which pages of counters and heads were ever touched */
  struct pathrt_pages *pages;   /* what it said; null: do not ask */
};

void pathrt_take_counter(struct pathrt_taker *taker, uint64_t id, uint64_t *counter);
/* Without memory for it (taker->taken.failed or counts.failed) a counter keeps its value.  */
void pathrt_take_counters(struct pathrt_taker *taker, uint64_t *counters, uint64_t n);
/* From a forest only to discard: pathrt_take_forest.  */
void pathrt_take_table(struct pathrt_taker *taker, struct pathprof_table *table, struct pathprof_slot *program_front);
/* All that was taken belongs to the counters again.  */
void pathrt_give_back(const struct pathrt_taker *taker);
/* Subtracts from counters in a file what was taken.  */
void pathrt_deduct(const struct pathrt_taker *taker);
void pathrt_taker_free(struct pathrt_taker *taker);

#endif
