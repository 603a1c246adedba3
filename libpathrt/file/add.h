/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Adding a profile to a file that others may be adding to.
 *
 * FILE.lock is locked meanwhile (libpathrt/file/lock.h; not FILE, which is renamed over), the sum is
 * written to a temporary in the same folder and renamed: FILE is never torn, and nobody's counts
 * are lost.  What FILE held is never destroyed: a file that is no readable profile stays as it is,
 * the profile of another build is renamed.
 *
 * Only one thread of the process may be in here (libpathrt/process/entry.h).  */
#ifndef PATHRT_ADD_H
#define PATHRT_ADD_H

#include <stdbool.h>

#include "libpathrt/file/replace.h"
#include "libpathrt/process/name.h"
#include "profile/format/bytes.h"

enum pathrt_added {
  PATHRT_NOT_ADDED, /* after a message */
  PATHRT_ADDED,
  PATHRT_ADDED_BESIDE, /* to FILE.PID, because FILE is no readable profile; after a message */
};

/* Subtracts a profile image, if that is not null, from what is in the locked file, and adds another one.  A negative
 * difference becomes 0: the counts were added to another file, which had the name before.  */
enum pathrt_added pathrt_file_change(const struct pathrt_name *file, const struct pathprof_buffer *subtracted,
                                     const struct pathprof_buffer *image, pathrt_pending pending);

/* Adds the image of a process that ended before, likewise.  An image of another build than the file takes the file's
 * place only where this process is of the image's build; else the image is added to what is kept beside the file.  */
enum pathrt_added pathrt_file_add_orphan(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                         bool of_this_build, pathrt_pending pending);

#endif
