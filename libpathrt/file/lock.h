/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* FILE.lock, which every process holds while it changes FILE.  */
#ifndef PATHRT_LOCK_H
#define PATHRT_LOCK_H

#include <stdbool.h>

#include "libpathrt/process/name.h"
#include "libpathrt/process/signals.h"

enum pathrt_locked {
  PATHRT_NOT_LOCKED, /* after a message */
  PATHRT_LOCKED,
  PATHRT_INTERRUPTED,  /* a signal handler wrote, or forked and this is the child: begin again */
  PATHRT_NO_DESCRIPTOR /* the process has too few descriptors left to work with; without a message */
};

/* Makes the folders and locks; waits for others, letting through the signals that were not held
 * back before (null: none, and then no longer than PATHRT_MOST_HELD_BACK).  */
enum pathrt_locked pathrt_file_lock(const struct pathrt_name *file, const struct pathrt_signals *before);
/* Whether the lock that is held was that of a writer who was killed.  */
__attribute__((visibility("hidden"))) bool pathrt_lock_was_left(void);
void pathrt_file_unlock(const struct pathrt_name *file);

/* In the child of a fork: drops the lock, which stays the parent's.  */
void pathrt_lock_after_fork(void);

/* Locks a file, as flock does with LOCK_EX, but waits no longer than PATHRT_MOST_HELD_BACK; then errno is
 * EWOULDBLOCK.  */
int pathrt_flock_briefly(int fd);

#endif
