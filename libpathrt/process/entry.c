/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Grants one thread at a time access to the registry.  */
#define _GNU_SOURCE
#include "libpathrt/process/entry.h"

#include <errno.h>
#include <stdint.h>
#include <sys/file.h>
#include <time.h>

#include "libpathrt/process/registry.h"
#include "profile/format/system.h"

/* Returns an ID for the calling thread.  No other existing thread has the same ID, and all modules compute the same
 * ID.  */
static uintptr_t this_thread(void) {
  return (uintptr_t)&errno;
}

/* Enters the registry from a signal handler while the interrupted thread is inside it.  This is possible only if the
 * thread is waiting for a file lock.  The thread may just have acquired the file lock, so this function releases that
 * lock.  The thread then starts its operation again (libpathrt/file/lock.c).  */
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

/* A thread must not be cancelled while it is inside the registry.  The C library cancels a thread either by a signal,
 * which is blocked inside the registry, or at a cancellation point, and no function that is a cancellation point is
 * called inside the registry.  */
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

/* A signal handler sets `wanted` before it tries to enter the registry.  If the registry is busy, the thread that
 * leaves it sees the request.  */
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
