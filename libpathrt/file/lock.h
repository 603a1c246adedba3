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
  PATHRT_INTERRUPTED,  /* a signal handler wrote the counts, or it forked and this process is the child; the caller must
                          retry the whole operation */
  PATHRT_NO_DESCRIPTOR /* too few free descriptors; no message is printed */
};

/* Creates the missing parent directories of the file and acquires the lock of the file.  While waiting, unblocks the
 * signals that were not blocked in `before`.  If `before` is null, signals stay blocked, and the wait is limited to
 * PATHRT_MOST_HELD_BACK milliseconds.  */
enum pathrt_locked pathrt_file_lock(const struct pathrt_name *file, const struct pathrt_signals *before);
/* Returns true if the previous holder of the lock was killed.  */
__attribute__((visibility("hidden"))) bool pathrt_lock_was_left(void);
void pathrt_file_unlock(const struct pathrt_name *file);

/* Closes the lock file in the child of a fork.  The parent keeps the lock.  */
void pathrt_lock_after_fork(void);

/* Locks a file exclusively with flock.  Waits at most PATHRT_MOST_HELD_BACK milliseconds, then fails with
 * EWOULDBLOCK.  */
int pathrt_flock_briefly(int fd);

#endif
