/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The process's registry, and who may work with it.  */
#define _GNU_SOURCE
#include "libpathrt/registry.h"

#include <errno.h>
#include <pthread.h>
#include <sys/file.h>
#include <time.h>

#include "libpathrt/handlers.h"
#include "libpathrt/process.h"
#include "libpathrt/write.h"

struct pathrt_registry pathrt_registry;

/* Distinct for every living thread, the same in all modules.  */
static uintptr_t this_thread(void) {
  return (uintptr_t)&errno;
}

/* A thread that is at work runs no signal handlers but while it waits for a file's lock.  It may
 * just have got that lock, so it is let go: the waiter begins again (libpathrt/lock.c).  */
static bool enter_from_handler(struct pathrt_entry *entry) {
  if (!pathrt_registry.waiting_fd)
    return false;
  entry->outer_fd = pathrt_registry.waiting_fd;
  pathrt_registry.waiting_fd = 0;
  flock(entry->outer_fd - 1, LOCK_UN);
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

/* A thread must not be cancelled in here.  */
bool pathrt_enter(struct pathrt_entry *entry, bool wait) {
  static const struct timespec a_while = {0, 200000};
  bool is_busy = false;
  entry->saved_errno = errno;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &entry->cancel_state);
  for (;;) {
    pathrt_block_signals(&entry->signals);
    if (try_enter(entry, &is_busy))
      return true;
    pathrt_restore_signals(&entry->signals);
    if (!is_busy || !wait)
      break;
    nanosleep(&a_while, NULL);
  }
  pthread_setcancelstate(entry->cancel_state, NULL);
  errno = entry->saved_errno;
  return false;
}

/* A signal sets `wanted` before it finds somebody at work, so whoever leaves sees it.  */
void pathrt_leave(const struct pathrt_entry *entry) {
  if (entry->outer_fd) {
    pathrt_registry.waiting_fd = entry->outer_fd;
    pathrt_registry.interrupted = true;
  } else
    __atomic_store_n(&pathrt_registry.writer, 0, __ATOMIC_SEQ_CST);
  pathrt_restore_signals(&entry->signals);
  pthread_setcancelstate(entry->cancel_state, NULL);
  if (!entry->outer_fd && __atomic_exchange_n(&pathrt_registry.wanted, 0, __ATOMIC_SEQ_CST))
    pathrt_write(NULL);
  errno = entry->saved_errno;
}

void pathrt_add_module(struct pathrt_module *module) {
  struct pathrt_entry entry;
  if (!pathrt_enter(&entry, true))
    return;
  if (!pathrt_registry.modules)
    pathrt_own_counts();
  module->next = pathrt_registry.modules;
  __atomic_store_n(&pathrt_registry.modules, module, __ATOMIC_RELEASE);
  if (pathrt_registry.paused)
    module->pause();
  pathrt_install_handlers(module);
  pathrt_leave(&entry);
}

void pathrt_remove_module(struct pathrt_module *module) {
  struct pathrt_entry entry;
  if (!pathrt_enter(&entry, true))
    return;
  struct pathrt_module **link = &pathrt_registry.modules;
  while (*link && *link != module)
    link = &(*link)->next;
  if (*link)
    __atomic_store_n(link, module->next, __ATOMIC_RELEASE);
  pathrt_remove_handlers(module);
  if (!pathrt_registry.modules)
    pathrt_disown_counts();
  pathrt_leave(&entry);
}

void pathrt_write_at_end(struct pathrt_module *only) {
  struct pathrt_entry entry;
  if (!pathrt_registry.started || pathrt_registry.off || !pathrt_owns_counts() || !pathrt_enter(&entry, true))
    return;
  for (struct pathrt_module *each = pathrt_registry.modules; each; each = each->next)
    if (!only || each == only)
      each->close();
  pathrt_leave(&entry);
  pathrt_registry.is_ending = true;
  bool ok = pathrt_write(only) && pathrt_owns_counts();
  pathrt_registry.is_ending = false;
  if (!ok || !pathrt_enter(&entry, true))
    return;
  for (struct pathrt_module *each = pathrt_registry.modules; each; each = each->next)
    if (!only || each == only)
      each->end();
  pathrt_leave(&entry);
}
