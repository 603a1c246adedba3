/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Ownership of the counts.  A process that has counted paths owns the counts.  A copy of that process does not own
 * them, and neither does a process that shares the memory of the owner.  */
#ifndef PATHRT_PROCESS_H
#define PATHRT_PROCESS_H

#include <stdbool.h>

/* pathrt_own_counts records that this process owns the counts, and pathrt_disown_counts records that no counts exist
 * any more.  */
void pathrt_own_counts(void);
void pathrt_disown_counts(void);

/* Returns true if this process owns the counts.  Returns false in a child of vfork, which shares the memory of the
 * owner.  In a copy of the owner that was created without fork(), first sets the counts to zero and prints a note; the
 * copy then owns the counts.  */
bool pathrt_owns_counts(void);

/* Returns true if the process has only one thread according to the C library.  */
bool pathrt_is_single_threaded(void);
/* Returns true if the process has, or had, more than one thread.  Returns false if the C library does not provide this
 * information (glibc before 2.32).  */
bool pathrt_was_threaded(void);

/* Sets all counts to zero in the child of a fork, because the existing counts belong to the parent.  Every module can
 * call this function, but only the first call has an effect.  */
void pathrt_start_anew(void);

#endif
