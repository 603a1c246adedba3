/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Mutual exclusion for the registry.  */
#ifndef PATHRT_ENTRY_H
#define PATHRT_ENTRY_H

#include <stdbool.h>

#include "libpathrt/process/signals.h"

/* State of the thread before it entered the registry.  */
struct pathrt_entry {
  struct pathrt_signals signals;
  int outer_fd;
  int saved_errno;
};

/* Enters the registry, with all signals blocked.  Only one thread at a time writes, or changes the data that writing
 * needs.  Signal handlers of that thread run only while it waits for a file lock, and they may enter, too.  With
 * `wait`, waits until no other thread is in the registry.  Returns false if the registry was not entered.  */
bool pathrt_enter(struct pathrt_entry *entry, bool wait);
/* Leaves the registry.  Returns true if a signal has requested a dump meanwhile, which the caller must write now.
 * pathrt_leave (libpathrt/file/write.h) does both.  */
__attribute__((visibility("hidden"))) bool pathrt_let_go(const struct pathrt_entry *entry);

#endif
