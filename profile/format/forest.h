/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Forests of path sequences in profiles (core/models/forest.h says what they are): reading, writing, merging, and
 * adding up what a process counted in several of them.
 *
 * Libc-only C, compiled into the runtime and into the tools.  */
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

/* ---- in a section ---- */

enum { PATHPROF_FOREST_PRUNED = 1 };

/* A function's forest while it is walked: nodes in preorder, siblings by increasing number.  */
struct pathprof_forest_walk {
  struct pathprof_cursor *cursor; /* null: no forest */
  uint64_t index;                 /* of the function in its unit; UINT64_MAX before the first */
  uint64_t flags;
  uint64_t left;                            /* nodes not yet read */
  uint64_t depth;                           /* of the current node, 0 before the first */
  uint64_t path[PATHPROF_FOREST_MAX_DEPTH]; /* the numbers that lead to it */
  uint64_t count;
};

/* Steps to the unit's next function.  */
void pathprof_get_forest(struct pathprof_forest_walk *walk);
/* Steps to the next node; false after the last one and after an error (walk->cursor->error).  */
bool pathprof_get_node(struct pathprof_forest_walk *walk);

/* A function's nodes while they are written.  Zero before the first; the buffer is kept.  */
struct pathprof_forest_put {
  struct pathprof_buffer nodes;
  uint64_t num_nodes;
  uint64_t depth;
  uint64_t path[PATHPROF_FOREST_MAX_DEPTH];
};
void pathprof_begin_forest(struct pathprof_forest_put *put);
void pathprof_put_node(struct pathprof_forest_put *put, const uint64_t *path, uint64_t depth, uint64_t count);
/* Puts the function with these nodes.  `previous` is the last function's index, or UINT64_MAX before the first.  */
void pathprof_put_forest(struct pathprof_buffer *buffer, uint64_t previous, uint64_t index, uint64_t flags,
                         const struct pathprof_forest_put *put);

/* Adds two forests, their counts times the weights; either may have no nodes.  */
void pathprof_merge_forests(struct pathprof_forest_walk walks[2], const uint64_t weights[2],
                            struct pathprof_forest_put *put);

/* ---- sums ---- */

/* Node 0 is the root: no path ends at it.  */
struct pathprof_sum_node {
  uint64_t parent;
  uint64_t id;
  uint64_t depth;
  uint64_t count;
};
struct pathprof_forest_sum {
  struct pathprof_buffer nodes; /* struct pathprof_sum_node */
  struct pathprof_buffer slots; /* hash table: 1 + index of a node, 0: free */
  uint64_t flags;
};

/* Begins a sum that has no nodes but the star.  Before the first use it must be zero; memory is kept.  False without
 * memory.  */
bool pathprof_begin_forest_sum(struct pathprof_forest_sum *sum);
void pathprof_free_forest_sum(struct pathprof_forest_sum *sum);
/* The node that a path leads to, made if need be.  0 without memory.  */
uint64_t pathprof_sum_child(struct pathprof_forest_sum *sum, uint64_t parent, uint64_t id);
void pathprof_sum_add(struct pathprof_forest_sum *sum, uint64_t node, uint64_t count);
/* Appends each node's path and count (struct pathprof_count): together the counts of paths.  */
void pathprof_sum_paths(const struct pathprof_forest_sum *sum, struct pathprof_buffer *counts);
/* Puts all nodes with counts, and those on the way to them.  False without memory.  */
bool pathprof_put_forest_sum(const struct pathprof_forest_sum *sum, struct pathprof_forest_put *put);

/* ---- a process's nodes ---- */

/* A chunk: where its nodes are now, and where they were when addresses of them were stored.  */
struct pathprof_chunk_ref {
  uint64_t address;
  uint64_t first; /* number of its first node; numbers increase from old to new */
  const struct pathprof_node *nodes;
  uint64_t size;
};

/* Sorts the references by address, having numbered them: they come with the newest first.  Returns the number of
 * nodes.  */
uint64_t pathprof_number_chunks(struct pathprof_chunk_ref *refs, uint64_t n);

/* Finds the nodes' places in the sum: places[number] gets the index in it, 0 where there is no node.  Numbers of paths
 * must be below `num_paths`.  A node whose parent is not there (in continuous mode a process may go back to what was
 * before a pause) begins a sequence.  Null, or what is wrong with the nodes.  */
const char *pathprof_place_nodes(struct pathprof_forest_sum *sum, const struct pathprof_chunk_ref *refs, uint64_t n,
                                 uint64_t root, uint64_t num_paths, uint64_t max_depth, uint64_t *places);

#ifdef __cplusplus
}
#endif
#endif
