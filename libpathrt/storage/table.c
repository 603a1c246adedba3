/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Lock-free hash tables for path counts.
 *
 * A table is a list of blocks of slots, from the newest and largest to the oldest.  A path's slot is found by linear
 * probing in the newest block.  If that block is half full, an empty block of twice the size is inserted before it.
 * Counts are not moved: a path that is executed again gets another slot, and its count is the sum over all blocks.
 * Growing takes one compare-and-swap and cannot lose counts, and a thread that still uses an old block does no harm.  A
 * slot is claimed by a compare-and-swap of its key.
 *
 * The inline cache (profile/format/abi.h) is checked before the blocks.  Instrumented code itself checks only this
 * cache, so the cache should contain the most frequently executed paths.  A path that has been counted
 * COUNTS_BEFORE_CACHE times in a block claims its slot in the inline cache unless another path owns that slot.  A slot
 * never changes its owner, because a thread may be interrupted between checking the key and incrementing the count.  */
#define _GNU_SOURCE
#include "libpathrt/storage/table.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "libpathrt/memory/memory.h"
#include "libpathrt/storage/block_list.h"
#include "libpathrt/storage/counter.h"

enum { FIRST_BITS = 3, COUNTS_BEFORE_CACHE = 100 };

_Static_assert(offsetof(struct pathprof_table, cache_size) == 32 && sizeof(struct pathprof_table) == 648 &&
                   offsetof(struct pathprof_block, older) == 0,
               "the layout is documented in doc/format.md");

/* Multiplier of Fibonacci hashing: 2^64 divided by the golden ratio.  */
#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* Returns the block to which new paths are added.  */
static struct pathprof_block *newest_of(struct pathprof_table *table) {
  return pathrt_newest_block(&table->slots, offsetof(struct pathprof_block, overflow_blocks));
}

/* Adds and returns a new block, twice the size of `old`, the newest block so far.  If another thread has just added a
 * block, returns that block instead.  Returns null if memory is exhausted.  */
static struct pathprof_block *grow(struct pathprof_table *table, struct pathprof_block *old) {
  if (pathrt_is_out_of_memory())
    return NULL;
  uint64_t bits = old ? 64 - old->shift + 1 : FIRST_BITS;
  size_t size = sizeof(struct pathprof_block) + (sizeof(struct pathprof_slot) << bits);
  struct pathprof_block *block = pathrt_map_counts(size);
  if (!block)
    return NULL;
  block->mask = ((uint64_t)1 << bits) - 1;
  block->shift = 64 - bits;
  if (pathrt_link_block(&table->slots, offsetof(struct pathprof_block, overflow_blocks), block, old))
    return block;
  pathrt_unmap_counts(block, size);
  return newest_of(table);
}

/* Returns the key's slot if the block contains the key, otherwise the free slot in which to store the key.  Returns
 * null if the block does not contain the key and is full.  */
static struct pathprof_slot *probe(struct pathprof_block *block, uint64_t key) {
  uint64_t at = (key * HASH_FACTOR) >> block->shift;
  for (uint64_t i = 0; i <= block->mask; i++) {
    struct pathprof_slot *slot = &block->slots[(at + i) & block->mask];
    uint64_t found = pathrt_load(&slot->key);
    if (found == key || !found)
      return slot;
  }
  return NULL;
}

/* Searches for the key in this block and in older blocks.  Returns the slot that contains the key, or null if there is
 * none.  */
static struct pathprof_slot *find_existing(struct pathprof_block *block, uint64_t key) {
  for (; block; block = block->older) {
    struct pathprof_slot *slot = probe(block, key);
    if (slot && pathrt_load(&slot->key) == key)
      return slot;
  }
  return NULL;
}

/* Finds or claims a slot for the key in the newest block.  If the raw file cannot grow any more and the path already
 * has a slot in the file, returns that slot.  Returns null if memory is exhausted.  */
static struct pathprof_slot *find(struct pathprof_table *table, uint64_t key) {
  struct pathprof_block *block = __atomic_load_n(&table->slots, __ATOMIC_ACQUIRE);
  for (;;) {
    struct pathprof_slot *slot = block ? probe(block, key) : NULL;
    if (slot && pathrt_load(&slot->key) == key)
      return slot;
    struct pathprof_block *overflow_blocks = block ? __atomic_load_n(&block->overflow_blocks, __ATOMIC_ACQUIRE) : NULL;
    if (overflow_blocks) {
      slot = find_existing(block->older, key);
      if (slot)
        return slot;
      block = overflow_blocks;
      continue;
    }
    if ((!block || pathrt_load(&block->used) > block->mask / 2) && grow(table, block)) {
      block = __atomic_load_n(&table->slots, __ATOMIC_ACQUIRE);
      continue;
    }
    if (!slot)
      return NULL;
    uint64_t free_key = 0;
    if (__atomic_compare_exchange_n(&slot->key, &free_key, key, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      __atomic_fetch_add(&block->used, 1, __ATOMIC_RELAXED);
      return slot;
    }
  }
}

/* Returns the table's array, which is mapped on first use.  If memory is exhausted, returns null; the table then uses
 * slots instead of an array.  */
static uint64_t *array_of(struct pathprof_table *table) {
  uint64_t *counters = __atomic_load_n(&table->counters, __ATOMIC_ACQUIRE);
  if (counters)
    return counters;
  size_t size = pathrt_load(&table->num_paths) * sizeof *counters;
  uint64_t *fresh = pathrt_map_array(size);
  if (!fresh) {
    __atomic_store_n(&table->num_paths, 0, __ATOMIC_RELAXED);
    return NULL;
  }
  if (__atomic_compare_exchange_n(&table->counters, &counters, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return fresh;
  pathrt_unmap_array(fresh, size);
  return counters;
}

/* Owner of a slot in an inline cache.  */
struct owner {
  struct pathprof_table *table;
  struct pathrt_cache cache;
  struct pathprof_slot *slot;
  uint64_t key;
};

/* Returns the slot that the key can claim.  */
static inline struct pathprof_slot *slot_for(struct pathrt_cache cache, uint64_t key) {
  return &cache.slots[key % cache.size];
}

static void note_cache(struct pathprof_table *table, struct pathrt_cache cache) {
  __atomic_store_n(&table->cache_size, cache.size, __ATOMIC_RELAXED);
  __atomic_store_n(&table->cache, cache.slots, __ATOMIC_RELEASE);
}

/* Claims the key's slot in the inline cache, unless another path already owns the slot.  */
static void claim_in_cache(struct pathprof_table *table, struct pathrt_cache cache, uint64_t key) {
  uint64_t free_key = 0;
  note_cache(table, cache);
  __atomic_compare_exchange_n(&slot_for(cache, key)->key, &free_key, key, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* Finds the counter of a path by a full search, after faster lookups have failed, and adds `amount` to it.  Returns the
 * previous count, or a nonzero value if memory for a counter is exhausted.  */
static __attribute__((noinline)) uint64_t add_other(struct pathprof_table *table, uint64_t id, uint64_t amount,
                                                    struct pathrt_cache cache, enum pathrt_update update) {
  int saved_errno = errno;
  uint64_t *counters = id < pathrt_load(&table->num_paths) ? array_of(table) : NULL;
  struct pathprof_slot *slot = counters || id == UINT64_MAX ? NULL : find(table, id + 1);
  uint64_t before = 1;
  if (counters)
    before = pathrt_add(&counters[id], amount, update);
  else if (slot) {
    before = pathrt_add(&slot->count, amount, update);
    if (cache.size && pathrt_load(&slot->count) >= COUNTS_BEFORE_CACHE)
      claim_in_cache(table, cache, id + 1);
  }
  errno = saved_errno;
  return before;
}

/* Returns the slot at which a search for the key starts in the newest block, or null if this slot does not contain the
 * key.  */
static inline struct pathprof_slot *find_at_once(struct pathprof_table *table, uint64_t key) {
  struct pathprof_block *block = __atomic_load_n(&table->slots, __ATOMIC_ACQUIRE);
  struct pathprof_slot *slot = block ? &block->slots[(key * HASH_FACTOR) >> block->shift] : NULL;
  return slot && pathrt_load(&slot->key) == key ? slot : NULL;
}

/* First checks the path's slot in the inline cache.  If another path owns this slot, checks the slot at which a search
 * for the path starts in the newest block.  If neither slot belongs to the path, performs the full search.  */
static inline uint64_t add_to_path(struct pathprof_table *table, uint64_t id, uint64_t amount,
                                   struct pathrt_cache cache, enum pathrt_update update) {
  struct pathprof_slot *slot = cache.size ? slot_for(cache, id + 1) : NULL;
  uint64_t owner = slot ? pathrt_load(&slot->key) : UINT64_MAX;
  if (owner && owner != id + 1)
    slot = find_at_once(table, id + 1);
  if (owner && slot)
    return pathrt_add(&slot->count, amount, update);
  return add_other(table, id, amount, cache, update);
}

static inline void count_path(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache, uint64_t size,
                              enum pathrt_update update) {
  add_to_path(table, key - 1, 1, (struct pathrt_cache){cache, size}, update);
}

void __pathrt_count(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache) {
  count_path(table, key, cache, PATHPROF_INLINE_CACHE_SIZE, PATHRT_SINGLE);
}

void __pathrt_count_atomic(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache) {
  count_path(table, key, cache, PATHPROF_INLINE_CACHE_SIZE, PATHRT_ATOMIC);
}

void __pathrt_count_program(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache) {
  count_path(table, key, cache, PATHPROF_PROGRAM_CACHE_SIZE, PATHRT_SINGLE);
}

void __pathrt_count_program_atomic(struct pathprof_table *table, uint64_t key, struct pathprof_slot *cache) {
  count_path(table, key, cache, PATHPROF_PROGRAM_CACHE_SIZE, PATHRT_ATOMIC);
}

/* Counts that are already in slots stay there; snapshots read both the slots and the array.  */
void pathrt_table_use_array(struct pathprof_table *table, uint64_t num_paths) {
  if (num_paths > SIZE_MAX / sizeof(uint64_t))
    return;
  __atomic_store_n(&table->num_paths, num_paths, __ATOMIC_RELAXED);
}

/* Makes the table use an array unless slots already exist, for example because memory for an array was exhausted.  In
 * continuous mode, which reserves all space in a file, slots are preferred because they need less space than an
 * array.  */
static inline void want_array(struct pathprof_table *table, uint64_t num_paths) {
  if (!pathrt_load(&table->num_paths) && !__atomic_load_n(&table->slots, __ATOMIC_RELAXED) && !pathrt_has_store())
    pathrt_table_use_array(table, num_paths);
}

void __pathrt_count_mapped(struct pathprof_table *table, uint64_t id, uint64_t num_paths) {
  want_array(table, num_paths);
  count_path(table, id + 1, NULL, 0, PATHRT_SINGLE);
}

void __pathrt_count_mapped_atomic(struct pathprof_table *table, uint64_t id, uint64_t num_paths) {
  want_array(table, num_paths);
  count_path(table, id + 1, NULL, 0, PATHRT_ATOMIC);
}

bool pathrt_table_add(struct pathprof_table *table, uint64_t id, uint64_t amount, struct pathprof_slot *cache,
                      bool atomic) {
  struct pathrt_cache inline_cache = {cache, cache ? PATHPROF_INLINE_CACHE_SIZE : 0};
  return add_to_path(table, id, amount, inline_cache, atomic ? PATHRT_ATOMIC : PATHRT_SINGLE) == 0;
}

bool pathrt_table_has_room(struct pathprof_table *table, uint64_t id, uint64_t most) {
  struct pathprof_block *block = newest_of(table);
  if (!block || block->mask < most - 1)
    return true;
  return (block->mask == most - 1 && pathrt_load(&block->used) < most / 2) || find_existing(block, id + 1);
}

uint64_t *pathrt_table_counter(struct pathprof_table *table, uint64_t id) {
  int saved_errno = errno;
  uint64_t *counters = id < pathrt_load(&table->num_paths) ? array_of(table) : NULL;
  struct pathprof_slot *slot = counters || id == UINT64_MAX ? NULL : find(table, id + 1);
  errno = saved_errno;
  return counters ? &counters[id] : slot ? &slot->count : NULL;
}

void __pathrt_spend(struct pathprof_table *table, uint64_t id, uint64_t cycles) {
  uint64_t *sum = pathrt_table_counter(table, id);
  if (sum)
    pathrt_add(sum, cycles, PATHRT_SINGLE);
}

void __pathrt_spend_atomic(struct pathprof_table *table, uint64_t id, uint64_t cycles) {
  uint64_t *sum = pathrt_table_counter(table, id);
  if (sum)
    pathrt_add(sum, cycles, PATHRT_ATOMIC);
}

/* Does not call memcpy: if memcpy were instrumented, the child of a fork would count a path of memcpy before the counts
 * are reset.  */
void pathrt_save_cache(struct pathprof_buffer *saved, struct pathprof_table *table) {
  struct pathrt_cache cache = pathrt_cache_of(table);
  for (uint64_t i = 0; i < cache.size; i++) {
    uint64_t key = pathrt_load(&cache.slots[i].key);
    struct owner *owner = key ? (void *)pathprof_reserve(saved, sizeof *owner) : NULL;
    if (!owner)
      continue;
    owner->table = table;
    owner->cache = cache;
    owner->slot = &cache.slots[i];
    owner->key = key;
    saved->size += sizeof *owner;
  }
}

void pathrt_restore_caches(const struct pathprof_buffer *saved) {
  const struct owner *owners = (const struct owner *)saved->data;
  for (size_t i = 0; i < saved->size / sizeof *owners; i++) {
    note_cache(owners[i].table, owners[i].cache);
    owners[i].slot->key = owners[i].key;
  }
}

static void unmap_block(struct pathprof_block *block) {
  pathrt_unmap_counts(block, sizeof *block + (block->mask + 1) * sizeof(struct pathprof_slot));
}

static void unmap_blocks(struct pathprof_block *block) {
  for (struct pathprof_block *older; block; block = older) {
    older = block->older;
    unmap_block(block);
  }
}

void pathrt_table_release(struct pathprof_table *table) {
  for (struct pathprof_block *block = table->slots, *older; block; block = older) {
    older = block->older;
    unmap_blocks(block->overflow_blocks);
    unmap_block(block);
  }
  if (table->counters)
    pathrt_unmap_array(table->counters, table->num_paths * sizeof(uint64_t));
  struct pathrt_cache cache = pathrt_cache_of(table);
  memset(cache.slots, 0, cache.size * sizeof *cache.slots);
  memset(table, 0, sizeof *table);
}
