/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Mutual exclusion for the registry.  */
#ifndef PATHRT_ENTRY_H
#define PATHRT_ENTRY_H

#include <stdbool.h>

#include "libpathrt/process/signals.h"

/* State of the thread before it entered the registry, to be restored when it leaves.  */
struct pathrt_entry {
  struct pathrt_signals signals;
  int outer_fd;
  int saved_errno;
};

/* Enters the registry and blocks all signals.  Only one thread at a time can be in the registry.  Only this thread may
 * write counts and change the data structures that are used for writing.  Signal handlers of this thread run only while
 * it is waiting for a file lock; they can then also enter the registry.  If `wait` is true, waits until no other thread
 * is in the registry.  Returns false if the registry was not entered.  */
bool pathrt_enter(struct pathrt_entry *entry, bool wait);
/* Leaves the registry.  Returns true if a signal requested a dump while the registry was busy; the caller must then
 * write the dump. pathrt_leave (libpathrt/file/write.h) leaves the registry and writes the dump.  */
__attribute__((visibility("hidden"))) bool pathrt_let_go(const struct pathrt_entry *entry);

#endif
