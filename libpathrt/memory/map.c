/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#define _GNU_SOURCE
#include "libpathrt/memory/map.h"

#include <sys/mman.h>

/* There in programs compiled with -fsanitize=thread.  */
void __tsan_ignore_thread_begin(void) __attribute__((weak, visibility("default")));
void __tsan_ignore_thread_end(void) __attribute__((weak, visibility("default")));

void *pathrt_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
  if (__tsan_ignore_thread_begin)
    __tsan_ignore_thread_begin();
  void *data = mmap(address, size, protection, flags, fd, offset);
  if (__tsan_ignore_thread_end)
    __tsan_ignore_thread_end();
  return data;
}
