/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Included before all else where profile/format/bytes.c is built for fuzzing: its buffers, which are mapped so that the
 * runtime need not call malloc, come from the heap, where the address sanitizer sees the end of each, a leak is found
 * and -malloc_limit_mb holds.  */
#ifndef PATHPROF_FUZZ_HEAP_H
#define PATHPROF_FUZZ_HEAP_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static inline void *heap_of(size_t size) {
  void *data = calloc(1, size);
  return data ? data : MAP_FAILED;
}

static inline void *heap_grown(void *old, size_t old_size, size_t size) {
  unsigned char *data = realloc(old, size);
  if (!data)
    return MAP_FAILED;
  memset(data + old_size, 0, size - old_size);
  return data;
}

#define mmap(address, size, ...) heap_of(size)
#define mremap(data, old_size, size, flags) heap_grown(data, old_size, size)
#define munmap(data, size) free(data)

#endif
