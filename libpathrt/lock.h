/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* FILE.lock, which whoever changes FILE holds.  */
#ifndef PATHRT_LOCK_H
#define PATHRT_LOCK_H

#include <stdbool.h>
#include <sys/types.h>

#include "libpathrt/filename.h"
#include "libpathrt/signals.h"

enum pathrt_locked {
  PATHRT_NOT_LOCKED, /* after a message */
  PATHRT_LOCKED,
  PATHRT_INTERRUPTED,  /* a signal handler wrote, or this is the child of one: begin again */
  PATHRT_NO_DESCRIPTOR /* the process has too few left to work with; without a message */
};

/* Makes the folders and locks; waits for others, letting through the signals that were not held
 * back before (null: none).  Removes what writers left that were killed.  */
enum pathrt_locked pathrt_file_lock(const struct pathrt_name *file, const struct pathrt_signals *before);
void pathrt_file_unlock(const struct pathrt_name *file);

/* In the child of a fork: drops the lock, which stays the parent's.  */
void pathrt_lock_after_fork(void);

/* Calls for every name in the file's folder.  One at a time.  */
void pathrt_visit_folder(const struct pathrt_name *file,
                         void (*visit)(int folder, const char *name, const struct pathrt_name *file));

/* Never gives 0, 1 or 2: the program may have closed those, and its own output, or our messages,
 * would go into the file.  A file that is made is ours to read and write whatever the umask.  */
int pathrt_open(const char *name, int flags, mode_t mode);

#endif
