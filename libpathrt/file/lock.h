/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Locking of FILE by means of the lock file FILE.lock.  A process holds the lock while it changes FILE.  */
#ifndef PATHRT_LOCK_H
#define PATHRT_LOCK_H

#include <stdbool.h>

#include "libpathrt/process/name.h"
#include "libpathrt/process/signals.h"

enum pathrt_locked {
  PATHRT_NOT_LOCKED, /* after a message */
  PATHRT_LOCKED,
  PATHRT_INTERRUPTED,  /* the caller must retry the whole operation, because a signal handler either wrote the counts or
                          forked, and in the latter case this process is the child */
  PATHRT_NO_DESCRIPTOR /* too few free descriptors; no message is printed */
};

/* Creates the directories in the file name and acquires the lock.  While waiting, unblocks the signals that were not
 * blocked in `before`.  If `before` is null, signals stay blocked, and the wait is limited to PATHRT_MOST_HELD_BACK
 * milliseconds.  */
enum pathrt_locked pathrt_file_lock(const struct pathrt_name *file, const struct pathrt_signals *before);
/* Returns true if the process that held the lock before was killed.  */
__attribute__((visibility("hidden"))) bool pathrt_lock_was_left(void);
void pathrt_file_unlock(const struct pathrt_name *file);

/* Closes the lock file in the child of a fork.  The parent keeps the lock.  */
void pathrt_lock_after_fork(void);

/* Locks a file like flock with LOCK_EX, but fails with EWOULDBLOCK after waiting for PATHRT_MOST_HELD_BACK
 * milliseconds.  */
int pathrt_flock_briefly(int fd);

#endif
