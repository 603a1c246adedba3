/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Adding a profile to a file that others may be adding to.
 *
 * FILE.lock is locked meanwhile (libpathrt/lock.h; not FILE, which is renamed over), the sum is
 * written to a temporary in the same folder and renamed: FILE is never torn, and nobody's counts
 * are lost.  What FILE held is never destroyed: a file that is no readable profile stays as it is,
 * the profile of another build is renamed.
 *
 * Only one thread of the process may be in here (libpathrt/registry.h).  */
#ifndef PATHRT_FILE_H
#define PATHRT_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/filename.h"
#include "profile/bytes.h"

enum pathrt_added {
  PATHRT_NOT_ADDED, /* after a message */
  PATHRT_ADDED,
  PATHRT_ADDED_BESIDE, /* to FILE.PID, because FILE is no readable profile; after a message */
};

/* Called when a file of that name (without folder) and inode, which holds the sum, is about to be
 * renamed.  */
typedef void (*pathrt_pending)(const char *name, uint64_t inode);

/* Adds a profile image to the locked file.  */
enum pathrt_added pathrt_file_add(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                  pathrt_pending pending);

/* The same, with the image of a process that ended before.  If it is of another build than the file, it
 * takes the file's place only where this process is of its build; else it is what is kept aside.  */
enum pathrt_added pathrt_file_add_orphan(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                         bool of_this_build, pathrt_pending pending);

/* False with errno set.  */
bool pathrt_read_all(int fd, struct pathprof_buffer *bytes, size_t size);
bool pathrt_write_all(int fd, const unsigned char *data, size_t size);

#endif
