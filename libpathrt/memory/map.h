/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Mapping of memory that the threads of the program count in.  */
#ifndef PATHRT_MAP_H
#define PATHRT_MAP_H

#include <stddef.h>
#include <sys/types.h>

/* As mmap().  ThreadSanitizer takes it for a write to all of the memory, and does not see how the runtime, which is
 * compiled without it, hands the memory over to other threads: their counts would be races.  So it looks away
 * meanwhile.  */
void *pathrt_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);

#endif
