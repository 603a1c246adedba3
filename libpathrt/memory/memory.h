/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Memory for the runtime and for counts, either private or from a store (in continuous mode, a file).
 *
 * All functions are lock-free and may be called in any context.  */
#ifndef PATHRT_MEMORY_H
#define PATHRT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Returns zeroed memory that is committed when it is first touched; the caller unmaps it.  On failure, returns null and
 * prints a message once.  */
void *pathrt_map(size_t size);
/* Returns true if pathrt_map has failed.  */
bool pathrt_is_out_of_memory(void);
/* Same as pathrt_map, but prints no message.  */
void *pathrt_try_map(size_t size);
/* Returns at most 16 KB of zeroed memory that starts at a cache line and cannot be freed separately.  */
void *pathrt_carve(size_t size);
/* Unmaps all memory from pathrt_carve, which must not be in use any more.  */
void pathrt_release_carved(void);

/* Returns zeroed private memory.  */
void *pathrt_map_private(size_t size);
void pathrt_unmap_private(void *data, size_t size);

/* ---- memory for counts ---- */

/* Alternative to private memory for counts.  */
struct pathrt_store {
  /* Returns zeroed memory that lasts as long as the store, or null if the store is full.  */
  void *(*map)(size_t size);
  /* Returns memory for a thread's copy of the counter section, or null if the store is full.  */
  void *(*map_copy)(size_t size);
  bool (*holds)(const void *data);
};

/* Allocates all further counts from `store`, or from private memory if it is null.  */
void pathrt_use_store(const struct pathrt_store *store);
/* Returns true if counts are allocated from a store.  */
bool pathrt_has_store(void);
/* Returns true if the memory belongs to the store.  */
bool pathrt_is_file_backed(const void *data);

/* Returns zeroed memory for counts, from the store if possible, otherwise private.  */
void *pathrt_map_counts(size_t size);
void pathrt_unmap_counts(void *counts, size_t size);
/* Returns zeroed memory in whole pages for a counter array.  Returns null without a message.  */
void *pathrt_map_array(size_t size);
void pathrt_unmap_array(void *array, size_t size);
/* Returns zeroed memory for a thread's copy of the counter section.  */
void *pathrt_map_copy(size_t size);
void pathrt_unmap_copy(void *copy, size_t size);

#endif
