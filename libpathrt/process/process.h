/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Which process this is: the one that counted, a copy of it, or one that shares its memory.  */
#ifndef PATHRT_PROCESS_H
#define PATHRT_PROCESS_H

#include <stdbool.h>

/* Remembers that this process owns the counts; forgets it when there are none any more.  */
void pathrt_own_counts(void);
void pathrt_disown_counts(void);

/* False in a process that shares its memory with the one that owns the counts (a child of vfork):
 * the counts stay there.  In a copy that was made behind the C library's back the counts become
 * zero, with a note.  */
bool pathrt_owns_counts(void);

/* Whether there is one thread only, as far as the C library says.  */
bool pathrt_is_single_threaded(void);
/* Whether there is, or was, more than one.  False where the C library does not say (glibc before 2.32).  */
bool pathrt_was_threaded(void);

/* Called in the child of a fork, where all that was counted so far stays the parent's.  All modules may call this.  */
void pathrt_start_anew(void);

#endif
