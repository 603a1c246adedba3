/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The forests in which sequences of paths are counted (profile/format/abi.h, core/models/forest.h).
 *
 * Everything here is lock-free.  Threads that race may lose counts (update=single), but nothing else: a node, once
 * made, is never moved, and memory that was handed out is never unmapped.  */
#ifndef PATHRT_FOREST_H
#define PATHRT_FOREST_H

#include <stdint.h>

#include "profile/format/abi.h"

/* A path has ended in an activation that is at this node: counts it, in sequences of at most k, and returns the node
 * where the activation is then.  `key` is the path's number + 1.  Called by instrumented code (PATHPROF_EMIT_SYMBOL)
 * where the way that it looks at is not the path's; may be called from any context, signal handlers included, and
 * leaves errno alone.  */
struct pathprof_node *__pathrt_emit(struct pathprof_forest *forest, struct pathprof_node *at, uint64_t key, uint64_t k);
/* Counts likewise, exactly while threads race.  */
struct pathprof_node *__pathrt_emit_atomic(struct pathprof_forest *forest, struct pathprof_node *at, uint64_t key,
                                           uint64_t k);

/* Counts a path of a program whose number has two digits.  Called by instrumented code (PATHPROF_COUNT_WIDE_SYMBOL)
 * from any context, too.  PATHPROF_FOREST_MAX does not matter: no number is cut short.  */
void __pathrt_count_wide(struct pathprof_forest *forest, uint64_t high, uint64_t low);
/* Counts likewise, exactly while threads race.  */
void __pathrt_count_wide_atomic(struct pathprof_forest *forest, uint64_t high, uint64_t low);

/* Reads PATHPROF_FOREST_MAX.  */
void pathrt_forest_read_environment(void);

/* The forest that is in this table head; null for a table and where nothing was counted.  */
struct pathprof_forest *pathrt_forest_in(struct pathprof_table *table);

/* How many nodes of the chunk are in use.  */
uint64_t pathrt_nodes_in(const struct pathprof_chunk *chunk);
/* Calls for each chunk, the newest first.  What is called may unmap the chunk.  */
void pathrt_visit_chunks(struct pathprof_forest *forest, void (*visit)(struct pathprof_chunk *chunk, void *data),
                         void *data);

/* In continuous mode nodes are in a file, and so may go back to what they were before a pause: from now on new nodes
 * get other places.  */
void pathrt_seal_forest(struct pathprof_forest *forest);
/* Called before the head is lost in the child of a fork: activations that are at nodes outside of the file begin anew.
 */
void pathrt_abandon_forest(struct pathprof_forest *forest);
/* Unmaps the forest's memory.  Nobody may count any more.  */
void pathrt_release_forest(struct pathprof_forest *forest);

#endif
