/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reads, writes, merges and sums the forests of path sequences in profiles.  Forests are defined in
 * core/models/forest.h.
 *
 * The runtime and the tools share this code, so it is written in C and depends only on libc.  */
#ifndef PATHPROF_PROFILE_FORMAT_FOREST_H
#define PATHPROF_PROFILE_FORMAT_FOREST_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/format/abi.h"
#include "profile/format/bytes.h"
#include "profile/format/storage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- forests in a section ---- */

enum { PATHPROF_FOREST_PRUNED = 1 };

/* Iterates over the forest of a function.  Nodes are visited in preorder, and siblings in order of increasing path
 * ID.  */
struct pathprof_forest_walk {
  struct pathprof_cursor *cursor; /* cursor at the current node, or null if there is no forest */
  uint64_t index;                 /* index of the function in its unit, or UINT64_MAX before the first function */
  uint64_t flags;
  uint64_t left;                            /* number of nodes not yet read */
  uint64_t depth;                           /* depth of the current node, or 0 before the first node */
  uint64_t path[PATHPROF_FOREST_MAX_DEPTH]; /* path IDs from the root to the current node */
  uint64_t count;
};

/* Advances to the next function of the unit.  */
void pathprof_get_forest(struct pathprof_forest_walk *walk);
/* Advances to the next node.  Returns false after the last node or an error (walk->cursor->error).  */
bool pathprof_get_node(struct pathprof_forest_walk *walk);

/* Collects the serialized nodes of a function.  All fields must be zero before the first use.  The buffer is reused for
 * the next function.  */
struct pathprof_forest_put {
  struct pathprof_buffer nodes;
  uint64_t num_nodes;
  uint64_t depth;
  uint64_t path[PATHPROF_FOREST_MAX_DEPTH];
};
void pathprof_begin_forest(struct pathprof_forest_put *put);
void pathprof_put_node(struct pathprof_forest_put *put, const uint64_t *path, uint64_t depth, uint64_t count);
/* Appends the collected nodes as the forest of the function with this index.  `previous` is the index of the previous
 * function, or UINT64_MAX for the first one.  */
void pathprof_put_forest(struct pathprof_buffer *buffer, uint64_t previous, uint64_t index, uint64_t flags,
                         const struct pathprof_forest_put *put);

/* Writes the sum of two forests.  The counts of each forest are multiplied by its weight.  A null cursor represents an
 * empty forest.  */
void pathprof_merge_forests(struct pathprof_forest_walk walks[2], const uint64_t weights[2],
                            struct pathprof_forest_put *put);

/* ---- sums ---- */

/* A node in the sum of several forests.  Node 0 is the start node, at which no path ends.  */
struct pathprof_sum_node {
  uint64_t parent;
  uint64_t id;
  uint64_t depth;
  uint64_t count;
};
struct pathprof_forest_sum {
  struct pathprof_buffer nodes; /* array of struct pathprof_sum_node */
  struct pathprof_buffer slots; /* hash table; a slot holds 1 + the index of a node, or 0 if the slot is free */
  uint64_t flags;
};

/* Starts a sum that contains only the start node.  All fields must be zero before the first use; later uses reuse the
 * memory.  Returns false if memory is exhausted.  */
bool pathprof_begin_forest_sum(struct pathprof_forest_sum *sum);
void pathprof_free_forest_sum(struct pathprof_forest_sum *sum);
/* Returns the child of a node for the path `id`, and creates the child if necessary.  Returns 0 if memory is
 * exhausted.  */
uint64_t pathprof_sum_child(struct pathprof_forest_sum *sum, uint64_t parent, uint64_t id);
void pathprof_sum_add(struct pathprof_forest_sum *sum, uint64_t node, uint64_t count);
/* Appends one struct pathprof_count per node, with the node's last path and count.  The execution count of a path is
 * the sum of all appended counts with its ID.  */
void pathprof_sum_paths(const struct pathprof_forest_sum *sum, struct pathprof_buffer *counts);
/* Writes all nodes that have a count or a descendant with a count.  Returns false if memory is exhausted.  */
bool pathprof_put_forest_sum(const struct pathprof_forest_sum *sum, struct pathprof_forest_put *put);

/* ---- nodes of a process ---- */

/* The location of a chunk of nodes: its address in the process, which the pointers in nodes use, and the address at
 * which the nodes can be read.  */
struct pathprof_chunk_ref {
  uint64_t address;
  uint64_t first; /* number of the first node in the chunk; older nodes have smaller numbers */
  const struct pathprof_node *nodes;
  uint64_t size;
};

/* Numbers the nodes of all chunks, and sorts `refs` by address.  On entry, `refs` must list the chunks from the newest
 * to the oldest.  Returns the total number of nodes.  */
uint64_t pathprof_number_chunks(struct pathprof_chunk_ref *refs, uint64_t n);

/* Finds the sum node that corresponds to each node of the process.  Sets places[number] to the index of the sum node,
 * or to 0 if the process has no node with this number.  Path IDs must be less than `num_paths`.  A node whose parent
 * does not exist is treated as the start of a sequence.  In continuous mode, a parent can be missing because the forest
 * was restored to its state before a pause.  Returns null on success, otherwise an error message.  */
const char *pathprof_place_nodes(struct pathprof_forest_sum *sum, const struct pathprof_chunk_ref *refs, uint64_t n,
                                 uint64_t root, uint64_t num_paths, uint64_t max_depth, uint64_t *places);

#ifdef __cplusplus
}
#endif
#endif
