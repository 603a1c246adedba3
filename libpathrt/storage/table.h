/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The tables that hold the path counts of functions with too many paths for an array.
 *
 * Everything here is lock-free.  Threads that race may lose counts (update=single), but nothing
 * else: a slot, once a path has it, belongs to that path for good, and memory that was handed out
 * is never unmapped.  */
#ifndef PATHRT_TABLE_H
#define PATHRT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/storage/counter.h"
#include "profile/format/abi.h"
#include "profile/format/bytes.h"
#include "profile/format/raw.h"

/* Counts one execution of the path whose number is key - 1: instrumented code (PATHPROF_COUNT_SYMBOL) has the key at
 * hand, and this inline cache of PATHPROF_INLINE_CACHE_SIZE slots.  May be called from any context, signal handlers
 * included, and leaves errno alone.  */
void __pathrt_count(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache);
/* Counts likewise, exactly while threads race.  */
void __pathrt_count_atomic(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache);
/* Count in a program's table, whose inline cache has PATHPROF_PROGRAM_CACHE_SIZE slots.  */
void __pathrt_count_program(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache);
void __pathrt_count_program_atomic(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache);
/* Count the path with this number in a program's table that is to have an array of num_paths counters, as long as it
 * has none.  */
void __pathrt_count_mapped(struct pathprof_table *table, uint64_t id, uint64_t num_paths);
void __pathrt_count_mapped_atomic(struct pathprof_table *table, uint64_t id, uint64_t num_paths);
/* Add to the cycles spent on a path, in a table of cycles.  */
void __pathrt_spend(struct pathprof_table *table, uint64_t id, uint64_t cycles);
void __pathrt_spend_atomic(struct pathprof_table *table, uint64_t id, uint64_t cycles);

/* Adds to a path's count, as __pathrt_count does; `cache`: null, where no code looks into one.  Returns whether the
 * counter was zero; the path may have other counters.  */
bool pathrt_table_add(struct pathprof_table *table, uint64_t id, uint64_t amount, struct pathprof_slot *cache,
                      bool atomic);

/* A counter of a table without an inline cache, made if need be; null without memory for it.  */
uint64_t *pathrt_table_counter(struct pathprof_table *table, uint64_t id);

/* Whether a number has a slot, or may get one while the table is to have no more than so many, a power of two.  */
bool pathrt_table_has_room(struct pathprof_table *table, uint64_t id, uint64_t most);

/* From now on counts the function's paths in an array of num_paths counters, mapped when first
 * needed.  */
void pathrt_table_use_array(struct pathprof_table *table, uint64_t num_paths);

/* Appends who has slots of the table's inline cache, to be restored when its memory is fresh: somebody may have
 * been interrupted between the look at a key and the increment.  */
void pathrt_save_cache(struct pathprof_buffer *saved, struct pathprof_table *table);
void pathrt_restore_caches(const struct pathprof_buffer *saved);

/* Unmaps a table's memory.  Nobody may count any more.  */
void pathrt_table_release(struct pathprof_table *table);

/* An inline cache.  */
struct pathrt_cache {
  struct pathprof_slot *slots;
  uint64_t size; /* 0: there is none, or no path has a slot of it */
};

static inline struct pathrt_cache pathrt_cache_of(struct pathprof_table *table) {
  struct pathprof_slot *slots = __atomic_load_n(&table->cache, __ATOMIC_ACQUIRE);
  return (struct pathrt_cache){slots, slots ? pathrt_load(&table->cache_size) : 0};
}

#endif
