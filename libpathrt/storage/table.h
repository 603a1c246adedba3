/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Hash tables, which count paths in functions that have too many paths for an array.
 *
 * The functions acquire no locks themselves, but in continuous mode, they may have to wait until another thread has
 * extended the raw file.  With update=single, racing threads may lose counts but do no other harm: a slot belongs to
 * the same path forever, and allocated memory is never unmapped.  */
#ifndef PATHRT_TABLE_H
#define PATHRT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/storage/counter.h"
#include "profile/format/abi.h"
#include "profile/format/bytes.h"
#include "profile/format/raw.h"

/* Counts one execution of the path whose ID is `key` - 1, in a table with an inline cache of PATHPROF_INLINE_CACHE_SIZE
 * slots.  Instrumented code can call this function (PATHPROF_COUNT_SYMBOL) in any context, including signal handlers.
 * Preserves errno.  */
void __pathrt_count(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache);
/* Same as __pathrt_count, but loses no counts if threads race.  */
void __pathrt_count_atomic(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache);
/* Same as __pathrt_count and __pathrt_count_atomic, but for interprocedural paths, whose inline cache has
 * PATHPROF_PROGRAM_CACHE_SIZE slots.  */
void __pathrt_count_program(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache);
void __pathrt_count_program_atomic(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache);
/* Count an interprocedural path in a table that stores its counts in an array of `num_paths` counters.  The array is
 * created on first use.  */
void __pathrt_count_mapped(struct pathprof_table *table, uint64_t id, uint64_t num_paths);
void __pathrt_count_mapped_atomic(struct pathprof_table *table, uint64_t id, uint64_t num_paths);
/* Add cycles to the total of a path, in a table that contains cycles instead of counts.  */
void __pathrt_spend(struct pathprof_table *table, uint64_t id, uint64_t cycles);
void __pathrt_spend_atomic(struct pathprof_table *table, uint64_t id, uint64_t cycles);

/* Adds `amount` to the count of a path.  `cache` is the table's inline cache, or null if it has none.  Returns true if
 * the counter was 0 before; other counters of the path may be nonzero.  */
bool pathrt_table_add(struct pathprof_table *table, uint64_t id, uint64_t amount, struct pathprof_slot *cache,
                      bool atomic);

/* Finds or creates the counter of the path `id` in a table without an inline cache.  Returns null if memory is
 * exhausted.  */
uint64_t *pathrt_table_counter(struct pathprof_table *table, uint64_t id);

/* Returns true if `id` has a slot, or if a slot can be added without creating a block of more than `most` slots.
 * `most` is a power of two.  */
bool pathrt_table_has_room(struct pathprof_table *table, uint64_t id, uint64_t most);

/* Makes the table store its counts in an array of `num_paths` counters, which is mapped on first use.  */
void pathrt_table_use_array(struct pathprof_table *table, uint64_t num_paths);

/* pathrt_save_cache saves the owners of the slots in a table's inline cache; pathrt_restore_caches restores all saved
 * owners after the memory has been remapped.  The owner of a slot must not change, because a thread may have been
 * interrupted between checking the owner's key and incrementing its count.  */
void pathrt_save_cache(struct pathprof_buffer *saved, struct pathprof_table *table);
void pathrt_restore_caches(const struct pathprof_buffer *saved);

/* Unmaps the memory of a table.  Must not be called while any thread can still count.  */
void pathrt_table_release(struct pathprof_table *table);

struct pathrt_cache {
  struct pathprof_slot *slots;
  uint64_t size; /* 0 if the table has no inline cache, or if no path owns a slot in it */
};

static inline struct pathrt_cache pathrt_cache_of(struct pathprof_table *table) {
  struct pathprof_slot *slots = __atomic_load_n(&table->cache, __ATOMIC_ACQUIRE);
  return (struct pathrt_cache){slots, slots ? pathrt_load(&table->cache_size) : 0};
}

#endif
