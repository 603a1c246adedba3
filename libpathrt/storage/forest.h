/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Forests, which count sequences of paths (profile/format/abi.h, core/models/forest.h).
 *
 * The functions acquire no locks themselves, but in continuous mode, they may have to wait until another thread has
 * extended the raw file.  With update=single, racing threads may lose counts but do no other harm: nodes are never
 * moved, and allocated memory is never unmapped.  */
#ifndef PATHRT_FOREST_H
#define PATHRT_FOREST_H

#include <stdint.h>

#include "profile/format/abi.h"

/* Counts a path that has just ended, as part of a sequence of at most `k` paths.  `at` is the activation's current
 * node.  The function returns the new current node.  `key` is the path ID plus 1.  Instrumented code calls this
 * function (PATHPROF_EMIT_SYMBOL) if the successor slot that it checks inline does not belong to the path.  Can be
 * called in any context, including signal handlers, and preserves errno.  */
struct pathprof_node *__pathrt_emit(struct pathprof_forest *forest, struct pathprof_node *at, uint64_t key, uint64_t k);
/* Same as __pathrt_emit, but loses no counts if threads race.  */
struct pathprof_node *__pathrt_emit_atomic(struct pathprof_forest *forest, struct pathprof_node *at, uint64_t key,
                                           uint64_t k);

/* Counts an interprocedural path of a unit with wide path IDs (wide=1), which consist of a high part and a low part.
 * Instrumented code can call this function (PATHPROF_COUNT_WIDE_SYMBOL) in any context.  PATHPROF_FOREST_MAX does not
 * limit the number of wide IDs.  */
void __pathrt_count_wide(struct pathprof_forest *forest, uint64_t high, uint64_t low);
/* Same as __pathrt_count_wide, but loses no counts if threads race.  */
void __pathrt_count_wide_atomic(struct pathprof_forest *forest, uint64_t high, uint64_t low);

/* Reads PATHPROF_FOREST_MAX.  */
void pathrt_forest_read_environment(void);

/* Returns the forest in a table head, or null if the head contains a table or is unused.  */
struct pathprof_forest *pathrt_forest_in(struct pathprof_table *table);

/* Returns the number of nodes allocated in the chunk.  */
uint64_t pathrt_nodes_in(const struct pathprof_chunk *chunk);
/* Calls `visit` for each chunk, newest first.  `visit` may unmap the chunk.  */
void pathrt_visit_chunks(struct pathprof_forest *forest, void (*visit)(struct pathprof_chunk *chunk, void *data),
                         void *data);

/* Makes sure that new nodes are allocated in a new chunk.  Called when continuous mode resumes after a pause, because
 * the existing chunks are then reset to their state before the pause.  */
void pathrt_seal_forest(struct pathprof_forest *forest);
/* Clears the nodes that are not in a file, before the table head is discarded.  Activations whose current nodes were
 * cleared restart their sequences.  */
void pathrt_abandon_forest(struct pathprof_forest *forest);
/* Unmaps the memory of the forest.  Must not be called while any thread can still count.  */
void pathrt_release_forest(struct pathprof_forest *forest);

#endif
