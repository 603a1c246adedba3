/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Who may work with the registry: one thread at a time.  */
#ifndef PATHRT_ENTRY_H
#define PATHRT_ENTRY_H

#include <stdbool.h>

#include "libpathrt/process/signals.h"

/* The state of the thread before it entered, to go back to.  */
struct pathrt_entry {
  struct pathrt_signals signals;
  int outer_fd;
  int saved_errno;
};

/* Enters.  One thread at a time writes or changes what writing needs, with all signals held back.  Its signal handlers
 * run only while it waits for a file's lock, and they may enter, too.  `wait`: waits for another thread that is at
 * work.  False if the registry was not entered.  */
bool pathrt_enter(struct pathrt_entry *entry, bool wait);
/* Leaves, and returns whether a signal has asked for a dump meanwhile, which the caller has to make now: pathrt_leave
 * (libpathrt/file/write.h) does both.  */
__attribute__((visibility("hidden"))) bool pathrt_let_go(const struct pathrt_entry *entry);

#endif
