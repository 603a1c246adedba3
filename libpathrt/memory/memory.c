/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Allocates memory for the runtime and for counts.  */
#define _GNU_SOURCE
#include "libpathrt/memory/memory.h"

#include <sys/mman.h>

#include "libpathrt/process/message.h"
#include "libpathrt/process/registry.h"
#include "profile/format/system.h"

static unsigned out_of_memory; /* 1 or 0 */

void *pathrt_try_map(size_t size) {
  if (pathrt_registry.restricted)
    return NULL;
  void *data =
      pathprof_sys_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return data == MAP_FAILED ? NULL : data;
}

void *pathrt_map(size_t size) {
  void *data = pathrt_try_map(size);
  if (!data && !pathrt_registry.restricted && !__atomic_exchange_n(&out_of_memory, 1, __ATOMIC_RELAXED))
    pathrt_error("not enough memory for path counts; some counts are lost", NULL);
  return data;
}

bool pathrt_is_out_of_memory(void) {
  return __atomic_load_n(&out_of_memory, __ATOMIC_RELAXED);
}

/* Chunk from which small blocks of memory are allocated.  If each block were mapped separately, a thousand small tables
 * would occupy a thousand pages.  */
struct chunk {
  size_t used;
  struct chunk *older;
};

enum { CHUNK_SIZE = 1 << 16, CHUNK_HEADER = 64, LARGEST_CARVED = CHUNK_SIZE / 4 };

static struct chunk *current_chunk;

void *pathrt_carve(size_t size) {
  size = (size + CHUNK_HEADER - 1) / CHUNK_HEADER * CHUNK_HEADER;
  for (;;) {
    struct chunk *chunk = __atomic_load_n(&current_chunk, __ATOMIC_ACQUIRE);
    if (chunk) {
      size_t at = __atomic_fetch_add(&chunk->used, size, __ATOMIC_RELAXED);
      if (at <= CHUNK_SIZE - size)
        return (unsigned char *)chunk + at;
    }
    struct chunk *fresh = pathrt_map(CHUNK_SIZE);
    if (!fresh)
      return NULL;
    fresh->used = CHUNK_HEADER;
    fresh->older = chunk;
    if (!__atomic_compare_exchange_n(&current_chunk, &chunk, fresh, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      pathprof_sys_munmap(fresh, CHUNK_SIZE);
  }
}

void *pathrt_map_private(size_t size) {
  return size <= LARGEST_CARVED ? pathrt_carve(size) : pathrt_map(size);
}

void pathrt_unmap_private(void *data, size_t size) {
  if (size > LARGEST_CARVED)
    pathprof_sys_munmap(data, size);
}

void pathrt_release_carved(void) {
  for (struct chunk *chunk = current_chunk, *older; chunk; chunk = older) {
    older = chunk->older;
    pathprof_sys_munmap(chunk, CHUNK_SIZE);
  }
  current_chunk = NULL;
}

/* ---- memory for counts ---- */

static const struct pathrt_store *current_store;

static const struct pathrt_store *get_store(void) {
  return __atomic_load_n(&current_store, __ATOMIC_ACQUIRE);
}

void pathrt_use_store(const struct pathrt_store *store) {
  __atomic_store_n(&current_store, store, __ATOMIC_RELEASE);
}

bool pathrt_has_store(void) {
  return get_store() != NULL;
}

bool pathrt_is_file_backed(const void *data) {
  const struct pathrt_store *store = get_store();
  return store && store->holds(data);
}

static void *map_from_store(size_t size) {
  const struct pathrt_store *store = get_store();
  return store ? store->map(size) : NULL;
}

/* If the process has restricted its system calls, the runtime cannot map private memory, so counts that do not fit in
 * the store are lost.  */
void *pathrt_map_counts(size_t size) {
  void *counts = map_from_store(size);
  return counts || pathrt_registry.restricted ? counts : pathrt_map_private(size);
}

void pathrt_unmap_counts(void *counts, size_t size) {
  if (!pathrt_is_file_backed(counts))
    pathrt_unmap_private(counts, size);
}

void *pathrt_map_array(size_t size) {
  void *array = map_from_store(size);
  return array ? array : pathrt_try_map(size);
}

void pathrt_unmap_array(void *array, size_t size) {
  if (!pathrt_is_file_backed(array))
    pathprof_sys_munmap(array, size);
}

void *pathrt_map_copy(size_t size) {
  const struct pathrt_store *store = get_store();
  void *copy = store ? store->map_copy(size) : NULL;
  return copy || pathrt_registry.restricted ? copy : pathrt_map(size);
}

void pathrt_unmap_copy(void *copy, size_t size) {
  if (!pathrt_is_file_backed(copy))
    pathprof_sys_munmap(copy, size);
}
