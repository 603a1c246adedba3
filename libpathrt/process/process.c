/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Determines whether this process owns the counts.  After fork, a handler of the runtime runs in the child.  No handler
 * runs after vfork, _Fork or a direct clone call.  In a child of vfork, the process ID differs, but the memory belongs
 * to the parent.  In other children, the memory is a copy.  The runtime detects such a copy with the help of a page
 * that the kernel clears in copies (MADV_WIPEONFORK).  */
#define _GNU_SOURCE
#include "libpathrt/process/process.h"

#include <errno.h>
#include <sys/mman.h>

#include "libpathrt/process/message.h"
#include "libpathrt/process/registry.h"
#include "libpathrt/process/switched.h"
#include "libpathrt/process/test.h"
#include "profile/format/system.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

static void map_mark(void) {
  size_t size = pathprof_sys_page_size();
  void *page = pathprof_sys_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return;
  if (pathprof_sys_madvise(page, size, MADV_WIPEONFORK) == 0)
    pathrt_registry.mark = page;
  else
    pathprof_sys_munmap(page, size);
}

/* Returns true if the process ID differs from the owner's.  If a system call filter forbids getpid, assumes that the
 * IDs are equal.  */
static bool has_other_pid(void) {
  pid_t pid = pathprof_sys_getpid();
  return pid > 0 && pid != pathrt_registry.pid;
}

void pathrt_own_counts(void) {
  pathrt_registry.pid = pathprof_sys_getpid();
  if (!pathrt_registry.mark)
    map_mark();
  if (pathrt_registry.mark)
    *pathrt_registry.mark = 1;
}

void pathrt_disown_counts(void) {
  if (pathrt_registry.mark)
    pathprof_sys_munmap(pathrt_registry.mark, pathprof_sys_page_size());
  pathrt_registry.mark = NULL;
}

/* Variable that is true if the process has only one thread.  Its address is null if the C library does not define
 * it.  */
extern char __libc_single_threaded __attribute__((weak));

bool pathrt_is_single_threaded(void) {
  return &__libc_single_threaded && __libc_single_threaded;
}

bool pathrt_was_threaded(void) {
  pathrt_registry.threaded |= &__libc_single_threaded && !__libc_single_threaded;
  return pathrt_registry.threaded;
}

static bool is_copy(void) {
  return pathrt_registry.mark && !*pathrt_registry.mark;
}

/* If another thread was inside the registry in the parent, that thread does not exist in the child, so this function
 * releases the registry.  The forking thread itself can be inside the registry only if it forked in a signal handler
 * while it was waiting for a file lock.  */
void pathrt_start_anew(void) {
  if (pathrt_registry.restricted || (!is_copy() && !has_other_pid()))
    return;
  int saved_errno = errno;
  if (pathrt_registry.writer != (uintptr_t)&errno) {
    if (pathrt_registry.waiting_fd)
      pathprof_sys_close(pathrt_registry.waiting_fd - 1);
    pathrt_registry.waiting_fd = 0;
    pathrt_registry.writer = 0;
  }
  pathrt_registry.interrupted = true;
  pathrt_registry.forked = true;
  pathrt_registry.threaded = false;
  pathrt_registry.wanted = 0;
  pathrt_switched_for();
  pathrt_registry.switched_for = 0;
  pathrt_registry.num_counted = pathrt_registry.resets = 0;
  pathrt_test_after_fork();
  for (struct pathrt_module *module = pathrt_registry.modules; module; module = module->next) {
    module->written_to = 0;
    module->discard(true);
  }
  pathrt_own_counts();
  errno = saved_errno;
}

bool pathrt_owns_counts(void) {
  if (pathrt_registry.restricted)
    return false;
  if (is_copy()) {
    pathrt_start_anew();
    pathrt_note("this process was created without fork(); paths executed so far are not counted", NULL);
  }
  return !has_other_pid();
}
