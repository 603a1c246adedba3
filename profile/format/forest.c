/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Serializes, merges and adds up forests.  */
#include "profile/format/forest.h"

#include "profile/format/counts.h"
#include "profile/format/image.h"
#include "profile/format/saturate.h"

/* ---- reading ---- */

void pathprof_get_forest(struct pathprof_forest_walk *walk) {
  enum { LEAST_NODE = 3 };
  walk->index = pathprof_get_increasing(walk->cursor, walk->index);
  walk->flags = pathprof_get_varint(walk->cursor);
  walk->left = pathprof_get_varint(walk->cursor);
  walk->depth = 0;
  if (walk->left > pathprof_cursor_left(walk->cursor) / LEAST_NODE)
    pathprof_cursor_fail(walk->cursor, "a forest has more nodes than the data can contain");
  if (!pathprof_cursor_ok(walk->cursor))
    walk->left = 0;
}

bool pathprof_get_node(struct pathprof_forest_walk *walk) {
  struct pathprof_cursor *cursor = walk->cursor;
  if (!walk->left)
    return false;
  uint64_t up = pathprof_get_varint(cursor);
  if (up > walk->depth || (up == 0 && walk->depth == PATHPROF_FOREST_MAX_DEPTH))
    pathprof_cursor_fail(cursor, "a forest node has an invalid depth");
  else {
    walk->depth += 1 - up;
    uint64_t *id = &walk->path[walk->depth - 1];
    *id = pathprof_get_increasing(cursor, up == 0 ? UINT64_MAX : *id);
    walk->count = pathprof_get_varint(cursor);
  }
  walk->left = pathprof_cursor_ok(cursor) ? walk->left - 1 : 0;
  return pathprof_cursor_ok(cursor);
}

/* ---- writing ---- */

void pathprof_begin_forest(struct pathprof_forest_put *put) {
  put->nodes.size = 0;
  put->num_nodes = put->depth = 0;
}

void pathprof_put_node(struct pathprof_forest_put *put, const uint64_t *path, uint64_t depth, uint64_t count) {
  uint64_t up = put->depth + 1 - depth, id = path[depth - 1];
  pathprof_put_varint(&put->nodes, up);
  pathprof_put_varint(&put->nodes, up == 0 ? id : id - put->path[depth - 1] - 1);
  pathprof_put_varint(&put->nodes, count);
  put->path[depth - 1] = id;
  put->depth = depth;
  put->num_nodes++;
}

void pathprof_put_forest(struct pathprof_buffer *buffer, uint64_t previous, uint64_t index, uint64_t flags,
                         const struct pathprof_forest_put *put) {
  pathprof_put_varint(buffer, index - (previous + 1));
  pathprof_put_varint(buffer, flags);
  pathprof_put_varint(buffer, put->num_nodes);
  pathprof_put_bytes(buffer, put->nodes.data, put->nodes.size);
  buffer->failed |= put->nodes.failed;
}

/* ---- merging ---- */

/* Compares the preorder positions of two nodes.  A node precedes its descendants.  */
static int compare_places(const struct pathprof_forest_walk *a, const struct pathprof_forest_walk *b) {
  uint64_t common = a->depth < b->depth ? a->depth : b->depth;
  for (uint64_t i = 0; i < common; i++)
    if (a->path[i] != b->path[i])
      return a->path[i] < b->path[i] ? -1 : 1;
  return (a->depth > b->depth) - (a->depth < b->depth);
}

/* A forest with weight 0 does not contribute any nodes to the result.  */
void pathprof_merge_forests(struct pathprof_forest_walk walks[2], const uint64_t weights[2],
                            struct pathprof_forest_put *put) {
  bool loaded[2] = {false, false};
  pathprof_begin_forest(put);
  for (int s = 0; s < 2; s++) {
    loaded[s] = walks[s].cursor && pathprof_get_node(&walks[s]);
    while (loaded[s] && !weights[s])
      loaded[s] = pathprof_get_node(&walks[s]);
  }
  while (loaded[0] || loaded[1]) {
    int order = !loaded[0] ? 1 : !loaded[1] ? -1 : compare_places(&walks[0], &walks[1]);
    const struct pathprof_forest_walk *first = &walks[order > 0];
    uint64_t count = 0;
    for (int s = 0; s < 2; s++)
      if (loaded[s] && (s == 0 ? order <= 0 : order >= 0))
        count = pathprof_add_weighted(count, walks[s].count, weights[s]);
    pathprof_put_node(put, first->path, first->depth, count);
    for (int s = 0; s < 2; s++)
      if (loaded[s] && (s == 0 ? order <= 0 : order >= 0))
        loaded[s] = pathprof_get_node(&walks[s]);
  }
}

/* ---- sums ---- */

static struct pathprof_sum_node *all_nodes(const struct pathprof_forest_sum *sum) {
  return (struct pathprof_sum_node *)(void *)sum->nodes.data;
}

static uint64_t num_nodes(const struct pathprof_forest_sum *sum) {
  return sum->nodes.size / sizeof(struct pathprof_sum_node);
}

static uint64_t *all_slots(const struct pathprof_forest_sum *sum, uint64_t *mask) {
  *mask = sum->slots.size / sizeof(uint64_t) - 1;
  return (uint64_t *)(void *)sum->slots.data;
}

static uint64_t add_node(struct pathprof_forest_sum *sum, uint64_t parent, uint64_t id, uint64_t depth) {
  struct pathprof_sum_node *node = (void *)pathprof_reserve(&sum->nodes, sizeof *node);
  if (!node)
    return 0;
  node->parent = parent;
  node->id = id;
  node->depth = depth;
  node->count = 0;
  sum->nodes.size += sizeof *node;
  return num_nodes(sum) - 1;
}

/* Returns the slot that contains the node or, if the node does not exist, the free slot in which to insert it.  */
static uint64_t *find(const struct pathprof_forest_sum *sum, uint64_t parent, uint64_t id) {
  uint64_t mask, *slots = all_slots(sum, &mask);
  const struct pathprof_sum_node *nodes = all_nodes(sum);
  uint64_t at = (parent * UINT64_C(0x9e3779b97f4a7c15) ^ id) * UINT64_C(0xd6e8feb86659fd93) >> 20;
  for (;; at++) {
    uint64_t *slot = &slots[at & mask];
    if (!*slot || (nodes[*slot - 1].parent == parent && nodes[*slot - 1].id == id))
      return slot;
  }
}

/* Doubles the number of slots.  Clears the memory in a loop instead of calling memset, because a program can define its
 * own instrumented memset.  */
static bool grow(struct pathprof_forest_sum *sum) {
  enum { FIRST = 1 << 10 };
  uint64_t wanted = sum->slots.size / sizeof(uint64_t) * 2;
  if (!wanted)
    wanted = FIRST;
  sum->slots.size = 0;
  if (!pathprof_reserve(&sum->slots, wanted * sizeof(uint64_t)))
    return false;
  sum->slots.size = wanted * sizeof(uint64_t);
  uint64_t mask, *slots = all_slots(sum, &mask);
  for (uint64_t i = 0; i <= mask; i++)
    __atomic_store_n(&slots[i], 0, __ATOMIC_RELAXED);
  for (uint64_t i = 1; i < num_nodes(sum); i++)
    *find(sum, all_nodes(sum)[i].parent, all_nodes(sum)[i].id) = i + 1;
  return true;
}

bool pathprof_begin_forest_sum(struct pathprof_forest_sum *sum) {
  sum->nodes.size = 0;
  sum->slots.size = 0;
  sum->flags = 0;
  add_node(sum, UINT64_MAX, 0, 0);
  return !sum->nodes.failed && grow(sum);
}

void pathprof_free_forest_sum(struct pathprof_forest_sum *sum) {
  pathprof_buffer_free(&sum->nodes);
  pathprof_buffer_free(&sum->slots);
}

uint64_t pathprof_sum_child(struct pathprof_forest_sum *sum, uint64_t parent, uint64_t id) {
  if (sum->slots.failed || sum->nodes.failed)
    return 0;
  uint64_t *slot = find(sum, parent, id);
  if (*slot)
    return *slot - 1;
  if (2 * num_nodes(sum) >= sum->slots.size / sizeof(uint64_t)) {
    if (!grow(sum))
      return 0;
    slot = find(sum, parent, id);
  }
  uint64_t index = add_node(sum, parent, id, all_nodes(sum)[parent].depth + 1);
  if (index)
    *slot = index + 1;
  return index;
}

void pathprof_sum_add(struct pathprof_forest_sum *sum, uint64_t node, uint64_t count) {
  uint64_t *to = &all_nodes(sum)[node].count;
  *to = pathprof_saturating_add(*to, count);
}

void pathprof_sum_paths(const struct pathprof_forest_sum *sum, struct pathprof_buffer *counts) {
  const struct pathprof_sum_node *nodes = all_nodes(sum);
  for (uint64_t i = 1; i < num_nodes(sum); i++) {
    struct pathprof_count count = {nodes[i].id, nodes[i].count};
    if (count.count)
      pathprof_put_bytes(counts, &count, sizeof count);
  }
}

/* ---- sums in preorder ---- */

/* The children of each node, sorted by path ID.  The children of node i that have a count, or a descendant with a
 * count, are order[first[i]] to order[first[i + 1] - 1].  */
struct families {
  struct pathprof_buffer first; /* array of uint64_t */
  struct pathprof_buffer order; /* array of pathprof_count structures that hold a path ID and a node index */
};

static uint64_t *numbers(struct pathprof_buffer *buffer, uint64_t n) {
  buffer->size = 0;
  uint64_t *data = (void *)pathprof_reserve(buffer, n * sizeof(uint64_t));
  for (uint64_t i = 0; data && i < n; i++)
    data[i] = 0;
  return data;
}

/* Marks each node that has a count or a descendant with a count.  Returns false if memory is exhausted.  */
static bool mark_live(const struct pathprof_forest_sum *sum, struct pathprof_buffer *buffer) {
  const struct pathprof_sum_node *nodes = all_nodes(sum);
  uint64_t n = num_nodes(sum), *live = numbers(buffer, n);
  for (uint64_t i = n; live && i-- > 1;) {
    live[i] |= nodes[i].count != 0;
    live[nodes[i].parent] |= live[i];
  }
  return live != NULL;
}

static bool find_families(const struct pathprof_forest_sum *sum, struct families *families) {
  const struct pathprof_sum_node *nodes = all_nodes(sum);
  struct pathprof_buffer live_bytes = {0};
  uint64_t n = num_nodes(sum), *first = numbers(&families->first, n + 2);
  struct pathprof_count *order = (void *)pathprof_reserve(&families->order, (n + 1) * sizeof *order);
  bool ok = first && order && mark_live(sum, &live_bytes);
  const uint64_t *live = (const uint64_t *)(const void *)live_bytes.data;
  for (uint64_t i = 1; ok && i < n; i++)
    first[nodes[i].parent + 2] += live[i];
  for (uint64_t i = 2; ok && i < n + 2; i++)
    first[i] += first[i - 1];
  for (uint64_t i = 1; ok && i < n; i++)
    if (live[i]) {
      struct pathprof_count *to = &order[first[nodes[i].parent + 1]++];
      to->id = nodes[i].id;
      to->count = i;
    }
  for (uint64_t i = 0; ok && i < n; i++)
    pathprof_sort_by_id(order + first[i], first[i + 1] - first[i]);
  pathprof_buffer_free(&live_bytes);
  return ok;
}

static void put_families(const struct pathprof_forest_sum *sum, const struct families *families,
                         struct pathprof_forest_put *put) {
  const struct pathprof_sum_node *nodes = all_nodes(sum);
  const uint64_t *first = (const uint64_t *)(const void *)families->first.data;
  const struct pathprof_count *order = (const struct pathprof_count *)(const void *)families->order.data;
  uint64_t path[PATHPROF_FOREST_MAX_DEPTH], next[PATHPROF_FOREST_MAX_DEPTH + 1], end[PATHPROF_FOREST_MAX_DEPTH + 1];
  uint64_t depth = 0;
  next[0] = first[0];
  end[0] = first[1];
  for (;;) {
    while (depth && next[depth] == end[depth])
      depth--;
    if (next[depth] == end[depth])
      return;
    const struct pathprof_count *entry = &order[next[depth]++];
    path[depth++] = entry->id;
    pathprof_put_node(put, path, depth, nodes[entry->count].count);
    next[depth] = first[entry->count];
    end[depth] = first[entry->count + 1];
  }
}

bool pathprof_put_forest_sum(const struct pathprof_forest_sum *sum, struct pathprof_forest_put *put) {
  struct families families = {{0}, {0}};
  pathprof_begin_forest(put);
  bool ok = !sum->nodes.failed && !sum->slots.failed && find_families(sum, &families);
  if (ok)
    put_families(sum, &families, put);
  pathprof_buffer_free(&families.first);
  pathprof_buffer_free(&families.order);
  return ok && !put->nodes.failed;
}

/* ---- nodes of a process ---- */

/* Swaps the fields one by one, because GCC may compile an assignment into a call to memcpy, and a program can define
 * its own instrumented memcpy.  */
static void swap(struct pathprof_chunk_ref *a, struct pathprof_chunk_ref *b) {
  uint64_t address = a->address, first = a->first, size = a->size;
  const struct pathprof_node *nodes = a->nodes;
  a->address = b->address, a->first = b->first, a->size = b->size, a->nodes = b->nodes;
  b->address = address, b->first = first, b->size = size, b->nodes = nodes;
}

/* Sorts the chunks with Shell sort, which is fast enough because there are few chunks.  */
uint64_t pathprof_number_chunks(struct pathprof_chunk_ref *refs, uint64_t n) {
  uint64_t total = 0;
  for (uint64_t i = n; i-- > 0;) {
    refs[i].first = total;
    total += refs[i].size;
  }
  for (uint64_t gap = n / 2; gap; gap /= 2)
    for (uint64_t i = gap; i < n; i++)
      for (uint64_t at = i; at >= gap && refs[at - gap].address > refs[at].address; at -= gap)
        swap(&refs[at - gap], &refs[at]);
  return total;
}

/* Returns the number of the node at an address, or UINT64_MAX if there is no node at the address.  */
static uint64_t number_at(const struct pathprof_chunk_ref *refs, uint64_t n, uint64_t address) {
  uint64_t low = 0, high = n;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (refs[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low)
    return UINT64_MAX;
  uint64_t offset = address - refs[low - 1].address;
  if (offset % sizeof(struct pathprof_node) || offset / sizeof(struct pathprof_node) >= refs[low - 1].size)
    return UINT64_MAX;
  return refs[low - 1].first + offset / sizeof(struct pathprof_node);
}

static uint64_t parent_of(const struct pathprof_node *node) {
  return (uintptr_t)__atomic_load_n(&node->parent, __ATOMIC_ACQUIRE);
}

/* Returns the nonempty chunk whose first node has this number, or null.  */
static const struct pathprof_chunk_ref *chunk_from(const struct pathprof_chunk_ref *refs, uint64_t n, uint64_t first) {
  for (uint64_t i = 0; i < n; i++)
    if (refs[i].first == first && refs[i].size)
      return &refs[i];
  return NULL;
}

const char *pathprof_place_nodes(struct pathprof_forest_sum *sum, const struct pathprof_chunk_ref *refs, uint64_t n,
                                 uint64_t root, uint64_t num_paths, uint64_t max_depth, uint64_t *places) {
  const struct pathprof_chunk_ref *chunk;
  for (uint64_t first = 0; (chunk = chunk_from(refs, n, first)); first += chunk->size)
    for (uint64_t i = 0; i < chunk->size; i++) {
      const struct pathprof_node *node = &chunk->nodes[i];
      uint64_t parent = parent_of(node), number = first + i, above = 0;
      places[number] = 0;
      if (!parent)
        continue;
      uint64_t parent_number = parent == root ? UINT64_MAX : number_at(refs, n, parent);
      if (parent_number < number)
        above = places[parent_number];
      if (node->id >= num_paths)
        return "the ID of an executed path is out of bounds";
      if (all_nodes(sum)[above].depth >= max_depth)
        return "a forest node is too deep";
      places[number] = pathprof_sum_child(sum, above, node->id);
      if (!places[number])
        return "not enough memory";
    }
  return NULL;
}
