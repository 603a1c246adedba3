/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Allocation of memory for the runtime and for counts.  The memory is either private or allocated from a store.  In
 * continuous mode, the store is a file.  All functions can be called in any context, including signal handlers.  Only
 * allocation from a store can wait for a lock.  */
#ifndef PATHRT_MEMORY_H
#define PATHRT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Returns zeroed memory that is committed when it is first touched.  The caller must unmap it.  On failure, returns
 * null; the first failure also prints a message.  */
void *pathrt_map(size_t size);
/* Returns true if pathrt_map has failed.  */
bool pathrt_is_out_of_memory(void);
/* Same as pathrt_map, but prints no message.  */
void *pathrt_try_map(size_t size);
/* Returns zeroed memory that is aligned to a cache line.  `size` must be at most 16 KB.  The memory cannot be freed
 * separately.  */
void *pathrt_carve(size_t size);
/* Unmaps all memory that pathrt_carve returned.  The memory must no longer be in use.  */
void pathrt_release_carved(void);

/* Returns zeroed private memory.  */
void *pathrt_map_private(size_t size);
void pathrt_unmap_private(void *data, size_t size);

/* ---- memory for counts ---- */

/* A source of memory for counts, used instead of private memory.  */
struct pathrt_store {
  /* Returns zeroed memory that remains allocated as long as the store exists, or null if the store is full.  */
  void *(*map)(size_t size);
  /* Returns memory for a thread's copy of the counter section, or null if the store is full.  */
  void *(*map_copy)(size_t size);
  bool (*holds)(const void *data);
};

/* Makes the following functions allocate memory from `store`, or private memory if `store` is null.  */
void pathrt_use_store(const struct pathrt_store *store);
/* Returns true if memory for counts is allocated from a store.  */
bool pathrt_has_store(void);
/* Returns true if the memory belongs to the store.  */
bool pathrt_is_file_backed(const void *data);

/* Returns zeroed memory for counts: memory from the store if possible, otherwise private memory.  */
void *pathrt_map_counts(size_t size);
void pathrt_unmap_counts(void *counts, size_t size);
/* Returns zeroed memory for a counter array, in whole pages.  On failure, returns null without printing a message.  */
void *pathrt_map_array(size_t size);
void pathrt_unmap_array(void *array, size_t size);
/* Returns zeroed memory for a thread's copy of the counter section.  */
void *pathrt_map_copy(size_t size);
void pathrt_unmap_copy(void *copy, size_t size);

#endif
