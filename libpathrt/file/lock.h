/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The lock file FILE.lock, which a process holds while it changes FILE.  */
#ifndef PATHRT_LOCK_H
#define PATHRT_LOCK_H

#include <stdbool.h>

#include "libpathrt/process/name.h"
#include "libpathrt/process/signals.h"

enum pathrt_locked {
  PATHRT_NOT_LOCKED, /* after a message */
  PATHRT_LOCKED,
  PATHRT_INTERRUPTED,  /* a signal handler wrote, or forked and this is the child: start again */
  PATHRT_NO_DESCRIPTOR /* too few free descriptors; no message is printed */
};

/* Creates the directories and acquires the lock.  While waiting, unblocks the signals that were not blocked in
 * `before`.  If `before` is null, signals stay blocked and the wait is limited to PATHRT_MOST_HELD_BACK.  */
enum pathrt_locked pathrt_file_lock(const struct pathrt_name *file, const struct pathrt_signals *before);
/* Returns true if the previous holder of the lock was killed.  */
__attribute__((visibility("hidden"))) bool pathrt_lock_was_left(void);
void pathrt_file_unlock(const struct pathrt_name *file);

/* Drops the lock in the child of a fork; the parent keeps it.  */
void pathrt_lock_after_fork(void);

/* Locks a file like flock with LOCK_EX, but waits at most PATHRT_MOST_HELD_BACK.  After that, errno is EWOULDBLOCK.  */
int pathrt_flock_briefly(int fd);

#endif
