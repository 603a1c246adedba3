/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Opening of files without side effects on the program.  */
#ifndef PATHRT_OPEN_H
#define PATHRT_OPEN_H

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>

/* Opens a regular file, or a directory with O_DIRECTORY.  Any other type of file fails with PATHRT_NOT_REGULAR, without
 * waiting for a FIFO.  Never returns descriptor 0, 1 or 2: the program may have closed these, and its output or a
 * message of the runtime would then be written to the file.  The user can read and write a created file whatever the
 * umask is.  */
#define PATHRT_NOT_REGULAR EINVAL
int pathrt_open(const char *name, int flags, mode_t mode);

/* Returns true if `name` still refers to the open file.  */
__attribute__((visibility("hidden"))) bool pathrt_is_named(int fd, const char *name);

#endif
