/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Lock-free k-slab forests.
 *
 * The paper stores three values per activation: n, the number of executed paths; τ, the position in the trees since the
 * current slab began; and β, the position in the tree of the previous slab.  The labels from a root to β are the
 * complete previous slab and the current partial slab, so β determines τ and n (modulo k - 1), and one node per
 * activation suffices.  In the first slab, that node is τ. At depth 2k - 2, two slabs are complete.  The next path then
 * continues from τ, the node that the last k - 1 labels lead to from the root of the forest.  This node is looked up
 * once and cached in `where` of the full node.
 *
 * A hash table finds nodes by parent and path ID.  A growing table is copied.  A thread that still uses the old table,
 * or inserts a node that is no longer copied, does no harm: a second node for the same sequence is created, and
 * snapshots add the counts of both.
 *
 * The first quarter of the permitted nodes is created on demand.  Further nodes are created only below nodes with high
 * counts, so that there is room for hot loops whenever they are executed.  If no node is available, the sequence
 * restarts at the node of the last two paths, as if the activation had begun there.  If there are too many pairs, the
 * sequence restarts at the last path; such nodes are always created.  Counts of single paths are thus always exact, and
 * counts of pairs are exact while there is room.  A longer sequence is never counted unless it was executed.  */
#define _GNU_SOURCE
#include "libpathrt/storage/forest.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "libpathrt/memory/memory.h"
#include "libpathrt/process/message.h"
#include "libpathrt/storage/block_list.h"
#include "libpathrt/storage/counter.h"
#include "profile/format/storage.h"
#include "profile/format/system.h"
#include "profile/format/text.h"

_Static_assert(sizeof(struct pathprof_node) == 64 && offsetof(struct pathprof_chunk, nodes) == 64 &&
                   offsetof(struct pathprof_chunk, older) == 0 &&
                   sizeof(struct pathprof_forest) <= sizeof(struct pathprof_table) &&
                   offsetof(struct pathprof_forest, root) == 72 &&
                   offsetof(struct pathprof_forest, is_forest) == offsetof(struct pathprof_table, num_paths),
               "the layout is documented in doc/format.md");

typedef struct pathprof_node node_t;
typedef struct pathprof_forest forest_t;

enum {
  FIRST_CHUNK = 8,
  LARGEST_CHUNK = 1 << 14, /* number of nodes */
  FIRST_INDEX_BITS = 4,
  COUNTS_BEFORE_WAY = 3,
  COUNTS_OF_HOT = 1024, /* doc/environment.md */
};

static uint64_t max_nodes = PATHPROF_DEFAULT_FOREST_MAX;

static inline node_t *parent_of(const node_t *node) {
  return __atomic_load_n(&node->parent, __ATOMIC_ACQUIRE);
}

void pathrt_forest_read_environment(void) {
  const char *text = pathprof_sys_getenv("PATHPROF_FOREST_MAX");
  if (!text || !*text)
    return;
  const char *end;
  uint64_t value;
  if (pathprof_text_number(text, &end, &value) && !*end)
    max_nodes = value;
  else
    pathrt_error("PATHPROF_FOREST_MAX: invalid value '", text,
                 "'; expected a number from 0 to 18446744073709551615; ignored", NULL);
}

/* ---- nodes ---- */

/* Returns the chunk in which new nodes are allocated.  */
static struct pathprof_chunk *newest_of(forest_t *forest) {
  return pathrt_newest_block((void **)&forest->chunks, offsetof(struct pathprof_chunk, overflow_blocks));
}

/* Adds and returns a new chunk, usually twice the size of `old`, the newest chunk so far.  If another thread has just
 * added a chunk, returns that chunk instead.  Returns null if memory is exhausted.  */
static struct pathprof_chunk *add_chunk(forest_t *forest, struct pathprof_chunk *old) {
  uint64_t size = !old ? FIRST_CHUNK : old->size < LARGEST_CHUNK ? 2 * old->size : LARGEST_CHUNK;
  size_t bytes = sizeof *old + size * sizeof(node_t);
  struct pathprof_chunk *chunk = pathrt_map_counts(bytes);
  if (!chunk)
    return NULL;
  chunk->size = size;
  if (pathrt_link_block((void **)&forest->chunks, offsetof(struct pathprof_chunk, overflow_blocks), chunk, old))
    return chunk;
  pathrt_unmap_counts(chunk, bytes);
  return newest_of(forest);
}

/* Allocates a node.  Returns null if memory is exhausted.  */
static node_t *take_node(forest_t *forest) {
  struct pathprof_chunk *chunk = newest_of(forest);
  uint64_t at = 0;
  while (!chunk || (at = __atomic_fetch_add(&chunk->used, 1, __ATOMIC_RELAXED)) >= chunk->size) {
    chunk = add_chunk(forest, chunk);
    if (!chunk)
      return NULL;
  }
  return &chunk->nodes[at];
}

static node_t *add_node(forest_t *forest, node_t *parent, uint64_t id, uint64_t depth) {
  for (node_t *node; (node = take_node(forest));) {
    __atomic_store_n(&node->id, id, __ATOMIC_RELAXED);
    __atomic_store_n(&node->where, depth, __ATOMIC_RELAXED);
    __atomic_store_n(&node->parent, parent, __ATOMIC_RELEASE);
    /* Abandons the node if its memory was reset to zeros before the parent was stored.  */
    if (__atomic_load_n(&node->where, __ATOMIC_ACQUIRE) == depth && pathrt_load(&node->id) == id) {
      __atomic_fetch_add(&forest->num_nodes, 1, __ATOMIC_RELAXED);
      return node;
    }
    __atomic_store_n(&node->parent, NULL, __ATOMIC_RELAXED);
  }
  return NULL;
}

/* ---- the hash table of nodes ---- */

/* Hash table of nodes.  A slot contains the address of a node.  The low bits of an address are always zero, so the slot
 * uses these bits for a part of the node's hash.  A search can therefore skip most other nodes without reading
 * them.  */
struct index {
  struct index *older;
  uint64_t mask;
  uint64_t shift;
  uint64_t used;
  uint64_t slots[];
};

enum { TAGS = sizeof(node_t) };

static size_t size_of_index(uint64_t num_slots) {
  return sizeof(struct index) + num_slots * sizeof(uint64_t);
}

static node_t *node_in(uint64_t slot) {
  return (node_t *)(uintptr_t)(slot & ~(uint64_t)(TAGS - 1));
}

static uint64_t hash_of(const node_t *parent, uint64_t id) {
  uint64_t hash = ((uintptr_t)parent >> 3) * UINT64_C(0x9e3779b97f4a7c15) + id * UINT64_C(0xc2b2ae3d27d4eb4f);
  return (hash ^ hash >> 29) * UINT64_C(0xd6e8feb86659fd93);
}

/* Returns the node's slot if the table contains the node, otherwise the free slot in which to store the node.  Returns
 * null if the table does not contain the node and is full.  */
static inline uint64_t *probe(struct index *index, const node_t *parent, uint64_t id, uint64_t hash) {
  for (uint64_t i = 0; i <= index->mask; i++) {
    uint64_t *slot = &index->slots[((hash >> index->shift) + i) & index->mask];
    uint64_t there = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (!there)
      return slot;
    const node_t *node = node_in(there);
    if (((there ^ hash) & (TAGS - 1)) == 0 && node->id == id && parent_of(node) == parent)
      return slot;
  }
  return NULL;
}

static inline node_t *find(forest_t *forest, const node_t *parent, uint64_t id) {
  struct index *index = __atomic_load_n((struct index **)&forest->index, __ATOMIC_ACQUIRE);
  uint64_t *slot = index ? probe(index, parent, id, hash_of(parent, id)) : NULL;
  return slot ? node_in(__atomic_load_n(slot, __ATOMIC_ACQUIRE)) : NULL;
}

/* Replaces the hash table `old` with one that is twice as large, and returns the newest table.  Returns null if memory
 * is exhausted.
 *
 * Invariant: each slot of a table changes only once, from 0 to a complete node.  A slot of `old` that another thread
 * fills after it was copied is missing in the new table; the next search for that node then creates a second node.  */
static struct index *grow(forest_t *forest, struct index *old) {
  uint64_t bits = old ? 64 - old->shift + 1 : FIRST_INDEX_BITS;
  struct index *index = pathrt_map_private(size_of_index((uint64_t)1 << bits));
  if (!index)
    return NULL;
  index->older = old;
  index->mask = ((uint64_t)1 << bits) - 1;
  index->shift = 64 - bits;
  for (uint64_t i = 0; old && i <= old->mask; i++) {
    uint64_t there = __atomic_load_n(&old->slots[i], __ATOMIC_ACQUIRE);
    node_t *parent = there ? parent_of(node_in(there)) : NULL;
    uint64_t *slot = NULL;
    if (parent)
      slot = probe(index, parent, node_in(there)->id, hash_of(parent, node_in(there)->id));
    if (!slot)
      continue;
    *slot = there;
    index->used++;
  }
  void *newest = old;
  if (__atomic_compare_exchange_n(&forest->index, &newest, index, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return index;
  pathrt_unmap_private(index, size_of_index(index->mask + 1));
  return newest;
}

/* Finds or creates the child of `parent` for the path `id`.  Returns null if memory is exhausted.
 *
 * `fresh` is complete before a slot refers to it, so other threads never find an incomplete node.  If another thread
 * fills the slot first, the search is repeated: it either finds the other thread's node for the same path, and `fresh`
 * remains unused, or it continues to the next free slot.  */
static node_t *make(forest_t *forest, node_t *parent, uint64_t id, uint64_t depth) {
  struct index *index = __atomic_load_n((struct index **)&forest->index, __ATOMIC_ACQUIRE);
  node_t *fresh = NULL;
  __atomic_store_n(&forest->is_forest, PATHPROF_IS_FOREST, __ATOMIC_RELAXED);
  for (;;) {
    while (!index || pathrt_load(&index->used) > index->mask / 2) {
      index = grow(forest, index);
      if (!index)
        return NULL;
    }
    uint64_t hash = hash_of(parent, id), *slot = probe(index, parent, id, hash);
    if (!slot)
      return NULL;
    uint64_t there = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (there)
      return node_in(there);
    if (!fresh && !(fresh = add_node(forest, parent, id, depth)))
      return NULL;
    if (__atomic_compare_exchange_n(slot, &there, (uintptr_t)fresh | (hash & (TAGS - 1)), false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
      __atomic_fetch_add(&index->used, 1, __ATOMIC_RELAXED);
      return fresh;
    }
  }
}

/* Returns true if the node limit permits a new child of `at`.  */
static bool has_room(const forest_t *forest, const node_t *at) {
  uint64_t n = pathrt_load(&forest->num_nodes);
  return n < max_nodes / 4 || (n < max_nodes && pathrt_load(&at->count) >= COUNTS_OF_HOT);
}

/* Returns true if a new node for a pair of paths may be created.  Such nodes may be created while the total number of
 * nodes is less than twice the limit.  */
static bool has_room_for_pairs(const forest_t *forest) {
  return pathrt_load(&forest->num_nodes) / 2 < max_nodes;
}

/* ---- cached successors ---- */

/* Returns true if the node is initialized.  In continuous mode, a node can lose its contents: in the child of a fork,
 * empty memory replaces the parent's raw file, and at the end of a pause, memory is reset to the contents of the raw
 * file.  */
static inline bool is_node(const forest_t *forest, const node_t *node) {
  return node == &forest->root || parent_of(node);
}

/* Returns the root of the tree for the path `id` if the root cache contains this root, otherwise null.  */
static inline node_t *known_root(forest_t *forest, uint64_t id) {
  node_t *node = __atomic_load_n(&forest->roots[id % PATHPROF_NUM_ROOTS].node, __ATOMIC_ACQUIRE);
  return node && node->id == id && parent_of(node) == &forest->root ? node : NULL;
}

/* Finds or creates the root of the tree for the path `id`.  Returns null if memory is exhausted.  */
static node_t *root(forest_t *forest, uint64_t id) {
  node_t *node = known_root(forest, id);
  if (node)
    return node;
  node = make(forest, &forest->root, id, 1);
  if (node)
    __atomic_store_n(&forest->roots[id % PATHPROF_NUM_ROOTS].node, node, __ATOMIC_RELEASE);
  return node;
}

/* Returns the node at which a sequence restarts if the forest has no room for a longer sequence.  This is the node for
 * the last two paths, `before` and `id`, if possible, and otherwise the root for the last path.  */
static node_t *pair_or_root(forest_t *forest, uint64_t before, uint64_t id) {
  node_t *first = root(forest, before);
  node_t *pair = first ? find(forest, first, id) : NULL;
  __atomic_store_n(&forest->is_pruned, 1, __ATOMIC_RELAXED);
  if (!pair && first && has_room_for_pairs(forest))
    pair = make(forest, first, id, 2);
  return pair ? pair : root(forest, id);
}

/* Finds or creates the node whose sequence consists of the last k - 1 paths of the sequence of `full`.  Returns null if
 * the forest has no room for that node, or if a node of the sequence has lost its contents.  */
static node_t *start_of_slab(forest_t *forest, node_t *full, uint64_t k) {
  uint64_t ids[PATHPROF_FOREST_MAX_K] = {0};
  node_t *node = full;
  for (uint64_t i = k - 1; node && i-- > 0; node = parent_of(node))
    ids[i] = node->id;
  if (!node)
    return NULL;
  node = root(forest, ids[0]);
  for (uint64_t i = 1; node && i < k - 1; i++) {
    node_t *next = find(forest, node, ids[i]);
    node = next || !has_room(forest, full) ? next : make(forest, node, ids[i], i + 1);
  }
  if (node)
    __atomic_store_n(&full->where, (uintptr_t)node, __ATOMIC_RELEASE);
  return node;
}

/* Returns the node whose child represents the next path.  This is `at` itself or, if `at` is at the maximum depth and
 * the start of the next slab is known, the node at which that slab starts.  */
static inline node_t *parent_of_next(node_t *at, uint64_t where) {
  return where > PATHPROF_FOREST_MAX_DEPTH ? (node_t *)(uintptr_t)where : at;
}

/* Finds or creates the successor of `at` for the path `id`.  Restarts the sequence if the forest has no room for the
 * successor, or if `at` has lost its contents.  */
static node_t *follow(forest_t *forest, node_t *at, uint64_t id, uint64_t k) {
  uint64_t before = pathrt_load(&at->id); /* ID of the path while the node was valid */
  if (at == &forest->root || !parent_of(at))
    return root(forest, id);
  uint64_t where = __atomic_load_n(&at->where, __ATOMIC_ACQUIRE);
  node_t *from = where == pathprof_forest_depth(k) ? start_of_slab(forest, at, k) : parent_of_next(at, where);
  if (!from || !parent_of(from))
    return pair_or_root(forest, before, id);
  node_t *child = find(forest, from, id);
  if (child)
    return child;
  if (!has_room(forest, at))
    return pair_or_root(forest, before, id);
  return make(forest, from, id, from == at ? where + 1 : k);
}

/* Claims one of the successor slots of `at` for the path if a slot is still free.  Instrumented code then finds the
 * successor `to` inline or with a cheap call.  The key is stored after the successor, so a thread that sees the key
 * also sees the successor.  Returns `to`.  */
static __attribute__((noinline)) node_t *claim_way(node_t *at, uint64_t key, node_t *to) {
  for (uint64_t i = 0; i < PATHPROF_NODE_CACHED_SUCCESSORS; i++) {
    uint64_t way = (key + i) % PATHPROF_NODE_CACHED_SUCCESSORS;
    node_t *nowhere = NULL;
    if (pathrt_load(&at->keys[way]) == key)
      break;
    if (pathrt_load(&at->keys[way]) ||
        !__atomic_compare_exchange_n(&at->to[way].node, &nowhere, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      continue;
    __atomic_store_n(&at->keys[way], key, __ATOMIC_RELEASE);
    /* Removes the key if the node's memory was reset to earlier contents after the successor was stored and before the
     * key was stored.  */
    if (__atomic_load_n(&at->to[way].node, __ATOMIC_ACQUIRE) != to)
      __atomic_store_n(&at->keys[way], 0, __ATOMIC_RELAXED);
    break;
  }
  return to;
}

/* Counts the path that leads from `at` to `to`.  Also claims a successor slot in `at` if the count is high enough and a
 * slot is free.  Returns `to`.  */
static inline node_t *go(node_t *at, uint64_t key, node_t *to, enum pathrt_update update) {
  pathrt_bump(&to->count, update);
  bool any_left = false;
  for (int way = 0; way < PATHPROF_NODE_CACHED_SUCCESSORS; way++)
    any_left |= !pathrt_load(&at->keys[way]);
  return any_left && pathrt_load(&to->count) >= COUNTS_BEFORE_WAY ? claim_way(at, key, to) : to;
}

static __attribute__((noinline)) node_t *emit_other(forest_t *forest, node_t *at, uint64_t key, uint64_t k,
                                                    enum pathrt_update update) {
  int saved_errno = errno;
  node_t *to = follow(forest, at, key - 1, k);
  errno = saved_errno;
  if (!to)
    return &forest->root;
  if (is_node(forest, at))
    return go(at, key, to, update);
  pathrt_bump(&to->count, update);
  return to;
}

/* Returns the successor stored in slot `way` if the path owns that slot, otherwise null.  */
static inline node_t *way_of(node_t *at, uint64_t key, uint64_t way) {
  return __atomic_load_n(&at->keys[way], __ATOMIC_ACQUIRE) == key ? at->to[way].node : NULL;
}

/* Searches the hash table for the successor of `at` for the path `id`.  Returns null if this successor does not exist
 * yet.  */
static inline node_t *known_child(forest_t *forest, node_t *at, uint64_t id) {
  const node_t *from = parent_of_next(at, __atomic_load_n(&at->where, __ATOMIC_ACQUIRE));
  return is_node(forest, at) && is_node(forest, from) ? find(forest, from, id) : NULL;
}

/* Instrumented code has already checked the path's first successor slot, so this function checks the second slot and
 * then the hash table.  A node can have more successors than slots.  */
static inline node_t *emit(forest_t *forest, node_t *at, uint64_t key, uint64_t k, enum pathrt_update update) {
  node_t *to = way_of(at, key, (key + 1) % PATHPROF_NODE_CACHED_SUCCESSORS);
  if (to) {
    pathrt_bump(&to->count, update);
    return to;
  }
  to = known_child(forest, at, key - 1);
  return to ? go(at, key, to, update) : emit_other(forest, at, key, k, update);
}

node_t *__pathrt_emit(forest_t *forest, node_t *at, uint64_t key, uint64_t k) {
  return emit(forest, at, key, k, PATHRT_SINGLE);
}

node_t *__pathrt_emit_atomic(forest_t *forest, node_t *at, uint64_t key, uint64_t k) {
  return emit(forest, at, key, k, PATHRT_ATOMIC);
}

/* ---- wide path IDs (wide=1) ---- */

static __attribute__((noinline)) void count_other(forest_t *forest, uint64_t high, uint64_t low,
                                                  enum pathrt_update update) {
  int saved_errno = errno;
  node_t *first = root(forest, high), *number = first ? make(forest, first, low, 2) : NULL;
  errno = saved_errno;
  if (number)
    go(first, low + 1, number, update);
}

static inline void count_wide(forest_t *forest, uint64_t high, uint64_t low, enum pathrt_update update) {
  node_t *first = known_root(forest, high), *number = NULL;
  for (uint64_t way = 0; first && !number && way < PATHPROF_NODE_CACHED_SUCCESSORS; way++)
    number = way_of(first, low + 1, way);
  if (number)
    pathrt_bump(&number->count, update);
  else
    count_other(forest, high, low, update);
}

void __pathrt_count_wide(forest_t *forest, uint64_t high, uint64_t low) {
  count_wide(forest, high, low, PATHRT_SINGLE);
}

void __pathrt_count_wide_atomic(forest_t *forest, uint64_t high, uint64_t low) {
  count_wide(forest, high, low, PATHRT_ATOMIC);
}

/* ---- all nodes ---- */

forest_t *pathrt_forest_in(struct pathprof_table *table) {
  forest_t *forest = (forest_t *)(void *)table;
  return pathrt_load(&forest->is_forest) == PATHPROF_IS_FOREST ? forest : NULL;
}

uint64_t pathrt_nodes_in(const struct pathprof_chunk *chunk) {
  uint64_t used = pathrt_load(&chunk->used);
  return used < chunk->size ? used : chunk->size;
}

void pathrt_visit_chunks(forest_t *forest, void (*visit)(struct pathprof_chunk *chunk, void *data), void *data) {
  struct pathprof_chunk *chunk = __atomic_load_n(&forest->chunks, __ATOMIC_ACQUIRE);
  for (struct pathprof_chunk *older, *older_overflow; chunk; chunk = older) {
    struct pathprof_chunk *overflow_blocks = __atomic_load_n(&chunk->overflow_blocks, __ATOMIC_ACQUIRE);
    for (; overflow_blocks; overflow_blocks = older_overflow) {
      older_overflow = overflow_blocks->older;
      visit(overflow_blocks, data);
    }
    older = chunk->older;
    visit(chunk, data);
  }
}

/* ---- memory ---- */

void pathrt_seal_forest(forest_t *forest) {
  struct pathprof_chunk *newest = newest_of(forest);
  if (newest)
    __atomic_store_n(&newest->used, newest->size, __ATOMIC_RELAXED);
}

/* Clears the chunk's nodes if they are in private memory.  An activation whose current node was cleared restarts its
 * sequence.  */
static void abandon_chunk(struct pathprof_chunk *chunk, void *unused) {
  (void)unused;
  for (uint64_t i = 0; i < pathrt_nodes_in(chunk) && !pathrt_is_file_backed(chunk); i++) {
    node_t *node = &chunk->nodes[i];
    for (int way = 0; way < PATHPROF_NODE_CACHED_SUCCESSORS; way++)
      __atomic_store_n(&node->keys[way], 0, __ATOMIC_RELAXED);
    __atomic_store_n(&node->parent, NULL, __ATOMIC_RELAXED);
  }
}

void pathrt_abandon_forest(forest_t *forest) {
  pathrt_visit_chunks(forest, abandon_chunk, NULL);
}

static void unmap_chunk(struct pathprof_chunk *chunk, void *unused) {
  (void)unused;
  pathrt_unmap_counts(chunk, sizeof *chunk + chunk->size * sizeof(node_t));
}

void pathrt_release_forest(forest_t *forest) {
  pathrt_visit_chunks(forest, unmap_chunk, NULL);
  for (struct index *index = forest->index, *older; index; index = older) {
    older = index->older;
    pathrt_unmap_private(index, size_of_index(index->mask + 1));
  }
  memset(forest, 0, sizeof *forest);
}
