/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Memory for the runtime and for counts: the process's own, or that of a store (continuous mode keeps counts in a
 * file).
 *
 * Everything here is lock-free and may be called from any context.  */
#ifndef PATHRT_MEMORY_H
#define PATHRT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory, lazily touched, that is the caller's to unmap.  Null after a message, which appears once.  */
void *pathrt_map(size_t size);
/* Whether there was no memory for a caller of pathrt_map.  */
bool pathrt_is_out_of_memory(void);
/* Zeroed memory likewise; null without a message.  */
void *pathrt_try_map(size_t size);
/* Zeroed memory of at most 16 KB for good; at a cache line's start.  */
void *pathrt_carve(size_t size);
/* Unmaps all that was carved.  Nobody may use it any more.  */
void pathrt_release_carved(void);

/* Zeroed memory of the process's own.  */
void *pathrt_map_private(size_t size);
void pathrt_unmap_private(void *data, size_t size);

/* ---- memory for counts ---- */

/* Where counts are kept instead of the process's own memory.  */
struct pathrt_store {
  /* Zeroed memory that lasts as long as the store.  Null where there is none left.  */
  void *(*map)(size_t size);
  /* Memory for a thread's copy of the section of counters, likewise.  */
  void *(*map_copy)(size_t size);
  bool (*holds)(const void *data);
};

/* From now on counts are kept there; null: in the process's own memory.  */
void pathrt_use_store(const struct pathrt_store *store);
/* Whether counts are kept in a store.  */
bool pathrt_has_store(void);
/* Whether the memory is the store's.  */
bool pathrt_is_file_backed(const void *data);

/* Zeroed memory for counts: from the store, else the process's own.  */
void *pathrt_map_counts(size_t size);
void pathrt_unmap_counts(void *counts, size_t size);
/* Zeroed memory for an array of counters, which takes whole pages.  Null without a message.  */
void *pathrt_map_array(size_t size);
void pathrt_unmap_array(void *array, size_t size);
/* Zeroed memory for a thread's copy of the section of counters.  */
void *pathrt_map_copy(size_t size);
void pathrt_unmap_copy(void *copy, size_t size);

#endif
