/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Hash tables for path counts, without locks.
 *
 * A table is a list of blocks of slots, the newest and largest first.  A path's slot is found by
 * linear probing in the newest block.  When that is half full a block of twice the size is put
 * before it, empty: no count moves, a path gets another slot when it runs again, and its count is
 * the sum over all blocks. So growth is one compare-and-swap, no count can be lost by it, and a
 * thread that still looks at an old block does no harm.  A slot is claimed by a compare-and-swap of
 * its key.
 *
 * The front (profile/abi.h) comes before all blocks.  It is the only part that instrumented code looks at
 * itself, so it is for paths that run often: one that was counted a few times in a block gets the slot of
 * the front that its number leads to, unless another path has it already.  No slot ever passes to another
 * path: between the look at the key and the increment anything may happen.  */
#define _GNU_SOURCE
#include "libpathrt/table.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "libpathrt/continuous.h"
#include "libpathrt/forest.h"
#include "libpathrt/message.h"
#include "libpathrt/written.h"

enum { FIRST_BITS = 3, COUNTS_BEFORE_FRONT = 100 };

_Static_assert(offsetof(struct pathprof_table, front) == 32 && sizeof(struct pathprof_table) == 4128, "doc/format.md");

/* Of Fibonacci hashing: 2^64 over the golden ratio.  */
#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* How a counter goes up: plainly, or so that no thread's count is lost.  */
enum update { SINGLE, ATOMIC };

/* Relaxed accesses compile to plain loads and stores: they only forbid to invent or merge any.  */
static inline uint64_t load(const uint64_t *from) {
  return __atomic_load_n(from, __ATOMIC_RELAXED);
}

/* Returns what it was.  */
static inline uint64_t add(uint64_t *counter, uint64_t amount, enum update update) {
  if (update == ATOMIC)
    return __atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
  uint64_t before = load(counter);
  __atomic_store_n(counter, before + amount, __ATOMIC_RELAXED);
  return before;
}

static inline void bump(uint64_t *counter, enum update update) {
  add(counter, 1, update);
}

/* ---- memory ---- */

static bool out_of_memory;

static void *try_map(size_t size) {
  void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return data == MAP_FAILED ? NULL : data;
}

void *pathrt_map(size_t size) {
  void *data = try_map(size);
  if (!data && !__atomic_exchange_n(&out_of_memory, true, __ATOMIC_RELAXED))
    pathrt_error("not enough memory for path counts; some are dropped", NULL);
  return data;
}

/* Small blocks are carved out of chunks, so that a thousand functions with three paths each do not
 * take a thousand pages.  */
struct chunk {
  size_t used;
  struct chunk *older;
};

enum { CHUNK_SIZE = 1 << 16, CHUNK_HEADER = 64, LARGEST_CARVED = CHUNK_SIZE / 4 };

static struct chunk *current_chunk;

void *pathrt_carve(size_t size) {
  size = (size + CHUNK_HEADER - 1) / CHUNK_HEADER * CHUNK_HEADER;
  for (;;) {
    struct chunk *chunk = __atomic_load_n(&current_chunk, __ATOMIC_ACQUIRE);
    if (chunk) {
      size_t at = __atomic_fetch_add(&chunk->used, size, __ATOMIC_RELAXED);
      if (at <= CHUNK_SIZE - size)
        return (unsigned char *)chunk + at;
    }
    struct chunk *fresh = pathrt_map(CHUNK_SIZE);
    if (!fresh)
      return NULL;
    fresh->used = CHUNK_HEADER;
    fresh->older = chunk;
    if (!__atomic_compare_exchange_n(&current_chunk, &chunk, fresh, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      munmap(fresh, CHUNK_SIZE);
  }
}

void *pathrt_map_private(size_t size) {
  return size <= LARGEST_CARVED ? pathrt_carve(size) : pathrt_map(size);
}

void pathrt_unmap_private(void *data, size_t size) {
  if (size > LARGEST_CARVED)
    munmap(data, size);
}

void *pathrt_map_counts(size_t size) {
  void *counts = pathrt_continuous_map(size);
  return counts ? counts : pathrt_map_private(size);
}

void pathrt_unmap_counts(void *counts, size_t size) {
  if (!pathrt_is_in_file(counts))
    pathrt_unmap_private(counts, size);
}

static void unmap_array(void *array, size_t size) {
  if (!pathrt_is_in_file(array))
    munmap(array, size);
}

/* ---- counting ---- */

/* Puts a larger block before `old`, or finds that another thread did.  Null without memory.  */
static struct pathprof_block *grow(struct pathprof_table *table, struct pathprof_block *old) {
  if (__atomic_load_n(&out_of_memory, __ATOMIC_RELAXED))
    return NULL;
  uint64_t bits = old ? 64 - old->shift + 1 : FIRST_BITS;
  size_t size = sizeof(struct pathprof_block) + (sizeof(struct pathprof_slot) << bits);
  struct pathprof_block *block = pathrt_map_counts(size);
  if (!block)
    return NULL;
  block->older = old;
  block->mask = ((uint64_t)1 << bits) - 1;
  block->shift = 64 - bits;
  void *newest = old;
  if (__atomic_compare_exchange_n(&table->slots, &newest, block, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return block;
  pathrt_unmap_counts(block, size);
  return newest;
}

/* The slot with the key, or the free slot where it belongs; null in a full block.  */
static struct pathprof_slot *probe(struct pathprof_block *block, uint64_t key) {
  uint64_t at = (key * HASH_FACTOR) >> block->shift;
  for (uint64_t i = 0; i <= block->mask; i++) {
    struct pathprof_slot *slot = &block->slots[(at + i) & block->mask];
    uint64_t found = load(&slot->key);
    if (found == key || !found)
      return slot;
  }
  return NULL;
}

/* The key's slot in the newest block, claimed if need be.  Null if there is no memory for it.  */
static struct pathprof_slot *find(struct pathprof_table *table, uint64_t key) {
  struct pathprof_block *block = __atomic_load_n(&table->slots, __ATOMIC_ACQUIRE);
  for (;;) {
    struct pathprof_slot *slot = block ? probe(block, key) : NULL;
    if (slot && load(&slot->key) == key)
      return slot;
    if (!block || load(&block->used) > block->mask / 2) {
      struct pathprof_block *larger = grow(table, block);
      if (larger) {
        block = larger;
        continue;
      }
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

/* Maps the array when first needed.  Without memory for it the function goes on with slots.  */
static uint64_t *array_of(struct pathprof_table *table) {
  uint64_t *counters = __atomic_load_n(&table->counters, __ATOMIC_ACQUIRE);
  if (counters)
    return counters;
  size_t size = load(&table->num_paths) * sizeof *counters;
  uint64_t *fresh = pathrt_continuous_map(size);
  if (!fresh)
    fresh = try_map(size);
  if (!fresh) {
    __atomic_store_n(&table->num_paths, 0, __ATOMIC_RELAXED);
    return NULL;
  }
  if (__atomic_compare_exchange_n(&table->counters, &counters, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return fresh;
  unmap_array(fresh, size);
  return counters;
}

/* Who has a slot of a front.  */
struct owner {
  struct pathprof_table *table;
  struct pathprof_slot *slot;
  uint64_t key;
};

/* From now on the key is counted in this slot of the front, if no other one was faster.  */
static void claim_front(struct pathprof_table *table, struct pathprof_slot *slot, uint64_t key) {
  uint64_t free_key = 0;
  __atomic_store_n(&table->front_used, 1, __ATOMIC_RELAXED);
  __atomic_compare_exchange_n(&slot->key, &free_key, key, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* Returns what the counter was; not zero without one.  */
static __attribute__((noinline)) uint64_t add_other(struct pathprof_table *table, uint64_t id, uint64_t amount,
                                                    struct pathprof_slot *in_front, enum update update) {
  int saved_errno = errno;
  uint64_t *counters = id < load(&table->num_paths) ? array_of(table) : NULL;
  struct pathprof_slot *slot = counters || id == UINT64_MAX ? NULL : find(table, id + 1);
  uint64_t before = 1;
  if (counters)
    before = add(&counters[id], amount, update);
  else if (slot) {
    before = add(&slot->count, amount, update);
    if (load(&slot->count) >= COUNTS_BEFORE_FRONT)
      claim_front(table, in_front, id + 1);
  }
  errno = saved_errno;
  return before;
}

/* Null where the newest block does not have the key at the first place of its probing.  */
static inline struct pathprof_slot *find_at_once(struct pathprof_table *table, uint64_t key) {
  struct pathprof_block *block = __atomic_load_n(&table->slots, __ATOMIC_ACQUIRE);
  struct pathprof_slot *slot = block ? &block->slots[(key * HASH_FACTOR) >> block->shift] : NULL;
  return slot && load(&slot->key) == key ? slot : NULL;
}

static inline uint64_t add_to_path(struct pathprof_table *table, uint64_t id, uint64_t amount,
                                   struct pathprof_slot *front, uint64_t size, enum update update) {
  struct pathprof_slot *in_front = &front[(id + 1) % size], *slot = in_front;
  uint64_t owner = load(&slot->key);
  if (owner && owner != id + 1)
    slot = find_at_once(table, id + 1);
  if (owner && slot)
    return add(&slot->count, amount, update);
  return add_other(table, id, amount, in_front, update);
}

static inline void count_path(struct pathprof_table *table, uint64_t id, struct pathprof_slot *front, uint64_t size,
                              enum update update) {
  add_to_path(table, id, 1, front, size, update);
}

void __pathrt_count(struct pathprof_table *table, uint64_t key) {
  count_path(table, key - 1, table->front, PATHPROF_FRONT_SIZE, SINGLE);
}

void __pathrt_count_atomic(struct pathprof_table *table, uint64_t key) {
  count_path(table, key - 1, table->front, PATHPROF_FRONT_SIZE, ATOMIC);
}

void __pathrt_count_program(struct pathprof_table *table, uint64_t key, struct pathprof_slot *front) {
  count_path(table, key - 1, front, PATHPROF_PROGRAM_FRONT_SIZE, SINGLE);
}

void __pathrt_count_program_atomic(struct pathprof_table *table, uint64_t key, struct pathprof_slot *front) {
  count_path(table, key - 1, front, PATHPROF_PROGRAM_FRONT_SIZE, ATOMIC);
}

/* Paths counted in slots before stay there: taking looks at both.  */
void pathrt_table_use_array(struct pathprof_table *table, uint64_t num_paths) {
  if (num_paths > SIZE_MAX / sizeof(uint64_t))
    return;
  __atomic_store_n(&table->num_paths, num_paths, __ATOMIC_RELAXED);
}

/* In continuous mode, where all memory is reserved in a file, slots take less.  So do they for good, where there was no
 * memory for the array: then there are some.  */
static inline void want_array(struct pathprof_table *table, uint64_t num_paths) {
  if (!load(&table->num_paths) && !__atomic_load_n(&table->slots, __ATOMIC_RELAXED) && !pathrt_is_continuous())
    pathrt_table_use_array(table, num_paths);
}

void __pathrt_count_mapped(struct pathprof_table *table, uint64_t id, uint64_t num_paths) {
  want_array(table, num_paths);
  count_path(table, id, table->front, PATHPROF_FRONT_SIZE, SINGLE);
}

void __pathrt_count_mapped_atomic(struct pathprof_table *table, uint64_t id, uint64_t num_paths) {
  want_array(table, num_paths);
  count_path(table, id, table->front, PATHPROF_FRONT_SIZE, ATOMIC);
}

bool pathrt_table_add(struct pathprof_table *table, uint64_t id, uint64_t amount, bool atomic) {
  return add_to_path(table, id, amount, table->front, PATHPROF_FRONT_SIZE, atomic ? ATOMIC : SINGLE) == 0;
}

/* Where the path's cycles are added up; null without memory.  */
static uint64_t *cycles_of(struct pathprof_table *table, uint64_t id) {
  int saved_errno = errno;
  uint64_t *counters = id < load(&table->num_paths) ? array_of(table) : NULL;
  struct pathprof_slot *slot = counters || id == UINT64_MAX ? NULL : find(table, id + 1);
  errno = saved_errno;
  return counters ? &counters[id] : slot ? &slot->count : NULL;
}

void __pathrt_spend(struct pathprof_table *table, uint64_t id, uint64_t cycles) {
  uint64_t *sum = cycles_of(table, id);
  if (sum)
    __atomic_store_n(sum, load(sum) + cycles, __ATOMIC_RELAXED);
}

void __pathrt_spend_atomic(struct pathprof_table *table, uint64_t id, uint64_t cycles) {
  uint64_t *sum = cycles_of(table, id);
  if (sum)
    __atomic_fetch_add(sum, cycles, __ATOMIC_RELAXED);
}

/* The front as far as it is used: none of it, or all.  */
struct front {
  struct pathprof_slot *slots;
  uint64_t size;
};

static struct front front_of(struct pathprof_table *table, struct pathprof_slot *program_front) {
  struct front front = {program_front ? program_front : table->front,
                        program_front ? PATHPROF_PROGRAM_FRONT_SIZE : PATHPROF_FRONT_SIZE};
  if (!load(&table->front_used))
    front.size = 0;
  return front;
}

/* Calls no memcpy either: what it counts in the child of a fork would still be the parent's.  */
void pathrt_save_front(struct pathprof_buffer *saved, struct pathprof_table *table,
                       struct pathprof_slot *program_front) {
  struct front front = front_of(table, program_front);
  for (uint64_t i = 0; i < front.size; i++) {
    uint64_t key = load(&front.slots[i].key);
    struct owner *owner = key ? (void *)pathprof_reserve(saved, sizeof *owner) : NULL;
    if (!owner)
      continue;
    owner->table = table;
    owner->slot = &front.slots[i];
    owner->key = key;
    saved->size += sizeof *owner;
  }
}

void pathrt_restore_fronts(const struct pathprof_buffer *saved) {
  const struct owner *owners = (const struct owner *)saved->data;
  for (size_t i = 0; i < saved->size / sizeof *owners; i++) {
    owners[i].table->front_used = 1;
    owners[i].slot->key = owners[i].key;
  }
}

void pathrt_table_release(struct pathprof_table *table, struct pathprof_slot *program_front) {
  if (pathrt_forest_in(table)) {
    pathrt_release_forest(pathrt_forest_in(table));
    return;
  }
  for (struct pathprof_block *block = table->slots, *older; block; block = older) {
    size_t size = sizeof(struct pathprof_block) + (block->mask + 1) * sizeof(struct pathprof_slot);
    older = block->older;
    pathrt_unmap_counts(block, size);
  }
  if (table->counters)
    unmap_array(table->counters, table->num_paths * sizeof(uint64_t));
  struct front front = front_of(table, program_front);
  memset(front.slots, 0, front.size * sizeof *front.slots);
  memset(table, 0, sizeof *table);
}

void pathrt_tables_release_rest(void) {
  for (struct chunk *chunk = current_chunk, *older; chunk; chunk = older) {
    older = chunk->older;
    munmap(chunk, CHUNK_SIZE);
  }
  current_chunk = NULL;
}

/* ---- taking counts ---- */

struct taken {
  uint64_t *counter;
  uint64_t value;
};

/* Takes all that a counter has since it was last taken from.  0 also where there is no memory.  */
static uint64_t take_value(const struct pathrt_taker *taker, uint64_t *counter) {
  uint64_t *written = taker->in_file ? NULL : pathrt_written(counter, taker->reads_only);
  if (taker->in_file && !taker->discard)
    return load(counter);
  if (taker->reads_only && !written)
    return 0;
  uint64_t before = written ? *written : 0;
  uint64_t now = taker->reads_only ? load(counter) : __atomic_exchange_n(counter, 0, __ATOMIC_RELAXED);
  if (written)
    *written = taker->reads_only ? now : 0;
  return now - before;
}

/* Nothing here calls memcpy: a program's own is instrumented, and would count while its own counts are
 * taken.  */
void pathrt_take_counter(struct pathrt_taker *taker, uint64_t id, uint64_t *counter) {
  if (!load(counter))
    return;
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
  uint64_t page_size = taker->sparse ? (uint64_t)getpagesize() : 0;
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
      pathrt_take_counter(taker, i, &counters[i]);
  }
}

static void take_slots(struct pathrt_taker *taker, struct pathprof_slot *slots, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if (load(&slots[i].key))
      pathrt_take_counter(taker, load(&slots[i].key) - 1, &slots[i].count);
}

void pathrt_take_table(struct pathrt_taker *taker, struct pathprof_table *table, struct pathprof_slot *program_front) {
  if (taker->sparse && !pathrt_is_touched(taker->pages, table))
    return;
  if (pathrt_forest_in(table)) {
    pathrt_discard_forest(taker, pathrt_forest_in(table));
    return;
  }
  struct pathprof_block *block = __atomic_load_n(&table->slots, __ATOMIC_ACQUIRE);
  struct front front = front_of(table, program_front);
  take_slots(taker, front.slots, front.size);
  for (; block; block = block->older)
    take_slots(taker, block->slots, block->mask + 1);
  uint64_t *counters = __atomic_load_n(&table->counters, __ATOMIC_ACQUIRE);
  if (!counters)
    return;
  bool sparse = taker->sparse;
  taker->sparse = !taker->in_file && taker->pages;
  pathrt_take_counters(taker, counters, load(&table->num_paths));
  taker->sparse = sparse;
}

void pathrt_give_back(const struct pathrt_taker *taker) {
  const struct taken *taken = (const struct taken *)taker->taken.data;
  for (size_t i = 0; i < taker->taken.size / sizeof *taken; i++) {
    uint64_t *written = taker->reads_only ? pathrt_written(taken[i].counter, false) : NULL;
    if (written)
      *written -= taken[i].value;
    else
      __atomic_fetch_add(taken[i].counter, taken[i].value, __ATOMIC_RELAXED);
  }
}

void pathrt_deduct(const struct pathrt_taker *taker) {
  const struct taken *taken = (const struct taken *)taker->taken.data;
  for (size_t i = 0; i < taker->taken.size / sizeof *taken; i++)
    __atomic_fetch_sub(taken[i].counter, taken[i].value, __ATOMIC_RELAXED);
}

void pathrt_taker_free(struct pathrt_taker *taker) {
  pathprof_buffer_free(&taker->counts);
  pathprof_buffer_free(&taker->cycles);
  pathprof_buffer_free(&taker->taken);
}
