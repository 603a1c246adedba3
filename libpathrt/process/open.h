/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Opening files so that the program does not notice.  */
#ifndef PATHRT_OPEN_H
#define PATHRT_OPEN_H

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>

/* Opens a regular file, or with O_DIRECTORY a folder; anything else fails with this error, without waiting for
 * whoever is at its other end.  Never gives 0, 1 or 2: the program may have closed those, and its own output, or our
 * messages, would go into the file.  A file that is made is ours to read and write whatever the umask.  */
#define PATHRT_NOT_REGULAR EINVAL
int pathrt_open(const char *name, int flags, mode_t mode);

/* Whether the file that is open has this name.  */
__attribute__((visibility("hidden"))) bool pathrt_is_named(int fd, const char *name);

#endif
