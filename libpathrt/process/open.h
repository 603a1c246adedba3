/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Opens files without side effects on the program.  */
#ifndef PATHRT_OPEN_H
#define PATHRT_OPEN_H

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>

/* Opens a regular file, or a directory if O_DIRECTORY is set.  Fails with PATHRT_NOT_REGULAR for other types of files,
 * and does not wait for a FIFO.  Never returns descriptor 0, 1 or 2, even if the program has closed it, because the
 * program's output or messages could then be written to the file.  The user can always read and write a file that is
 * created, regardless of the umask.  */
#define PATHRT_NOT_REGULAR EINVAL
int pathrt_open(const char *name, int flags, mode_t mode);

/* Returns true if `name` still refers to the open file.  */
__attribute__((visibility("hidden"))) bool pathrt_is_named(int fd, const char *name);

#endif
