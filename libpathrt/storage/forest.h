/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The forests that count sequences of paths (profile/format/abi.h, core/models/forest.h).
 *
 * All functions are lock-free.  With update=single, racing threads may lose counts but do no other harm: nodes are
 * never moved, and allocated memory is never unmapped.  */
#ifndef PATHRT_FOREST_H
#define PATHRT_FOREST_H

#include <stdint.h>

#include "profile/format/abi.h"

/* Counts the path that has just ended in an activation at node `at`, in sequences of at most `k` paths, and returns the
 * activation's new node.  `key` is the path ID plus 1.  Instrumented code calls this function (PATHPROF_EMIT_SYMBOL) if
 * the cached successor that it checks belongs to another path.  Can be called in any context, including signal
 * handlers, and preserves errno.  */
struct pathprof_node *__pathrt_emit(struct pathprof_forest *forest, struct pathprof_node *at, uint64_t key, uint64_t k);
/* Same as __pathrt_emit, but exact if threads race.  */
struct pathprof_node *__pathrt_emit_atomic(struct pathprof_forest *forest, struct pathprof_node *at, uint64_t key,
                                           uint64_t k);

/* Counts an interprocedural path with a wide ID (wide=1), given as its high and low parts.  Instrumented code calls
 * this function (PATHPROF_COUNT_WIDE_SYMBOL) in any context.  PATHPROF_FOREST_MAX does not limit these IDs.  */
void __pathrt_count_wide(struct pathprof_forest *forest, uint64_t high, uint64_t low);
/* Same as __pathrt_count_wide, but exact if threads race.  */
void __pathrt_count_wide_atomic(struct pathprof_forest *forest, uint64_t high, uint64_t low);

/* Reads PATHPROF_FOREST_MAX.  */
void pathrt_forest_read_environment(void);

/* Returns the forest in this table head, or null if the head contains a table or no counts.  */
struct pathprof_forest *pathrt_forest_in(struct pathprof_table *table);

/* Returns the number of nodes in use in the chunk.  */
uint64_t pathrt_nodes_in(const struct pathprof_chunk *chunk);
/* Calls `visit` for each chunk, newest first.  `visit` may unmap the chunk.  */
void pathrt_visit_chunks(struct pathprof_forest *forest, void (*visit)(struct pathprof_chunk *chunk, void *data),
                         void *data);

/* Makes new nodes use new memory: in continuous mode, nodes are in a file, and a resume resets them to their contents
 * before the pause.  */
void pathrt_seal_forest(struct pathprof_forest *forest);
/* Clears the nodes that are not in a file, before the child of a fork loses the table head.  Activations at such nodes
 * restart their sequences.  */
void pathrt_abandon_forest(struct pathprof_forest *forest);
/* Unmaps the memory of the forest.  No thread may count any more.  */
void pathrt_release_forest(struct pathprof_forest *forest);

#endif
