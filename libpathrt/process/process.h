/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Ownership of the counts: this process counted, is a copy of the process that counted, or shares its memory.  */
#ifndef PATHRT_PROCESS_H
#define PATHRT_PROCESS_H

#include <stdbool.h>

/* Record that this process owns the counts, and that no counts exist any more.  */
void pathrt_own_counts(void);
void pathrt_disown_counts(void);

/* Returns false in a process that shares the memory of the owner (a child of vfork); the counts then stay with the
 * owner.  In a copy that was created without the C library, sets the counts to zero and prints a note.  */
bool pathrt_owns_counts(void);

/* Returns true if the C library states that the process has only one thread.  */
bool pathrt_is_single_threaded(void);
/* Returns true if the process has, or had, more than one thread.  Returns false if the C library does not say (glibc
 * before 2.32).  */
bool pathrt_was_threaded(void);

/* Sets all counts to zero in the child of a fork; the counts so far belong to the parent.  Each module may call this
 * function.  */
void pathrt_start_anew(void);

#endif
