/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#define _GNU_SOURCE
#include "libpathrt/process/entry.h"

#include <errno.h>
#include <stdint.h>
#include <sys/file.h>
#include <time.h>

#include "libpathrt/process/registry.h"
#include "profile/format/system.h"

/* Defined here, beside functions that no module exports and every module calls: so the linker takes this file out of
 * the archive into each module.  A file with nothing but the registry it would leave there where a shared library
 * beside the program exports one, and the program would not start with a copy of that library that is not instrumented.
 */
struct pathrt_registry pathrt_registry;

/* A number of the calling thread: distinct for every living thread, the same in all modules.  */
static uintptr_t this_thread(void) {
  return (uintptr_t)&errno;
}

/* A thread that is at work runs no signal handlers but while it waits for a file's lock.  It may
 * just have got that lock, so it is let go: the waiter begins again (libpathrt/file/lock.c).  */
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

/* A thread must not be cancelled while it is at work.  The C library cancels a thread by a signal, which is blocked
 * with all others, or at a cancellation point, which no function called here is.  */
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

/* A signal sets `wanted` before it finds somebody at work, so whoever leaves sees it.  */
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
