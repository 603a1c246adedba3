/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Grants access to the registry to one thread at a time.  */
#define _GNU_SOURCE
#include "libpathrt/process/entry.h"

#include <errno.h>
#include <stdint.h>
#include <sys/file.h>
#include <time.h>

#include "libpathrt/process/registry.h"
#include "profile/format/system.h"

/* The registry is defined in the same file as functions that each module calls but no module exports, so that the
 * linker includes this file in each module.  Otherwise, the linker would omit the registry if a shared library exports
 * it, and the program would not start with an uninstrumented copy of that library.  */
struct pathrt_registry pathrt_registry;

/* Returns an ID of the calling thread, which is unique among living threads and the same in all modules.  */
static uintptr_t this_thread(void) {
  return (uintptr_t)&errno;
}

/* Enters from a signal handler, which runs inside the registry only while its thread waits for a file lock.  The thread
 * may just have acquired the lock, so the lock is released and the waiting thread starts again
 * (libpathrt/file/lock.c).  */
static bool enter_from_handler(struct pathrt_entry *entry) {
  if (!pathrt_registry.waiting_fd)
    return false;
  entry->outer_fd = pathrt_registry.waiting_fd;
  pathrt_registry.waiting_fd = 0;
  pathprof_sys_flock(entry->outer_fd - 1, LOCK_UN);
  return true;
}

static bool try_enter(struct pathrt_entry *entry, bool *is_busy) {
  uintptr_t self = this_thread(), writer = 0;
  entry->outer_fd = 0;
  if (__atomic_compare_exchange_n(&pathrt_registry.writer, &writer, self, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    return true;
  *is_busy = writer != self;
  return writer == self && enter_from_handler(entry);
}

/* A thread must not be cancelled inside the registry.  The C library cancels a thread by a signal, which is blocked
 * here, or at a cancellation point, and no function called here is a cancellation point.  */
bool pathrt_enter(struct pathrt_entry *entry, bool wait) {
  static const struct timespec a_while = {0, 200000};
  bool is_busy = false;
  if (pathrt_registry.restricted)
    return false;
  entry->saved_errno = errno;
  for (;;) {
    pathrt_block_signals(&entry->signals);
    if (try_enter(entry, &is_busy))
      return true;
    pathrt_restore_signals(&entry->signals);
    if (!is_busy || !wait)
      break;
    pathprof_sys_nanosleep(&a_while);
  }
  errno = entry->saved_errno;
  return false;
}

/* A signal handler sets `wanted` before it finds the registry busy, so the thread that leaves sees the request.  */
bool pathrt_let_go(const struct pathrt_entry *entry) {
  if (entry->outer_fd) {
    pathrt_registry.waiting_fd = entry->outer_fd;
    pathrt_registry.interrupted = true;
  } else
    __atomic_store_n(&pathrt_registry.writer, 0, __ATOMIC_SEQ_CST);
  pathrt_restore_signals(&entry->signals);
  bool is_wanted = !entry->outer_fd && __atomic_exchange_n(&pathrt_registry.wanted, 0, __ATOMIC_SEQ_CST);
  errno = entry->saved_errno;
  return is_wanted;
}
