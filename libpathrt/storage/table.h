/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The hash tables for path counts of functions with too many paths for an array.
 *
 * All functions are lock-free.  With update=single, racing threads may lose counts but do no other harm: a slot belongs
 * to the same path forever, and allocated memory is never unmapped.  */
#ifndef PATHRT_TABLE_H
#define PATHRT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/storage/counter.h"
#include "profile/format/abi.h"
#include "profile/format/bytes.h"
#include "profile/format/raw.h"

/* Counts one execution of the path with ID key - 1, in a table with an inline cache of PATHPROF_INLINE_CACHE_SIZE
 * slots.  Called by instrumented code (PATHPROF_COUNT_SYMBOL), in any context including signal handlers.  Preserves
 * errno.  */
void __pathrt_count(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache);
/* Same as __pathrt_count, but exact if threads race.  */
void __pathrt_count_atomic(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache);
/* Count an interprocedural path, in a table with an inline cache of PATHPROF_PROGRAM_CACHE_SIZE slots.  */
void __pathrt_count_program(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache);
void __pathrt_count_program_atomic(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache);
/* Count an interprocedural path in a table that is to use an array of num_paths counters, and create that array if
 * necessary.  */
void __pathrt_count_mapped(struct pathprof_table *table, uint64_t id, uint64_t num_paths);
void __pathrt_count_mapped_atomic(struct pathprof_table *table, uint64_t id, uint64_t num_paths);
/* Add to the cycles spent on a path, in a table of cycles.  */
void __pathrt_spend(struct pathprof_table *table, uint64_t id, uint64_t cycles);
void __pathrt_spend_atomic(struct pathprof_table *table, uint64_t id, uint64_t cycles);

/* Adds to the count of a path, like __pathrt_count.  `cache` is null if no code examines a cache.  Returns true if the
 * counter was zero; the path may have other counters.  */
bool pathrt_table_add(struct pathprof_table *table, uint64_t id, uint64_t amount, struct pathprof_slot *cache,
                      bool atomic);

/* Finds or creates a counter in a table without an inline cache.  Returns null if memory is exhausted.  */
uint64_t *pathrt_table_counter(struct pathprof_table *table, uint64_t id);

/* Returns true if `id` has a slot, or may get one in a table limited to `most` slots, a power of two.  */
bool pathrt_table_has_room(struct pathprof_table *table, uint64_t id, uint64_t most);

/* Stores the function's counts from now on in an array of num_paths counters, which is mapped on first use.  */
void pathrt_table_use_array(struct pathprof_table *table, uint64_t num_paths);

/* Saves the owners of the slots in the table's inline cache, and restores them after the memory was remapped.  A thread
 * may have been interrupted between the check of a key and the increment, so owners must not change.  */
void pathrt_save_cache(struct pathprof_buffer *saved, struct pathprof_table *table);
void pathrt_restore_caches(const struct pathprof_buffer *saved);

/* Unmaps the memory of a table.  No thread may count any more.  */
void pathrt_table_release(struct pathprof_table *table);

struct pathrt_cache {
  struct pathprof_slot *slots;
  uint64_t size; /* 0 if the table has no cache or no path owns a slot */
};

static inline struct pathrt_cache pathrt_cache_of(struct pathprof_table *table) {
  struct pathprof_slot *slots = __atomic_load_n(&table->cache, __ATOMIC_ACQUIRE);
  return (struct pathrt_cache){slots, slots ? pathrt_load(&table->cache_size) : 0};
}

#endif
