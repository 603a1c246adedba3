/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Adding counts to a profile file that other processes may change at the same time.
 *
 * FILE.lock is held during the update (libpathrt/file/lock.h); FILE itself cannot be locked, because it is replaced by
 * rename.  The sum is written to a temporary file in the same directory and renamed, so FILE is never torn and no
 * counts are lost.  The previous contents of FILE are never destroyed: a file that is not a readable profile is left
 * unchanged, and the profile of another build is renamed.
 *
 * Only one thread of the process may use these functions (libpathrt/process/entry.h).  */
#ifndef PATHRT_ADD_H
#define PATHRT_ADD_H

#include <stdbool.h>

#include "libpathrt/file/replace.h"
#include "libpathrt/process/name.h"
#include "profile/format/bytes.h"

enum pathrt_added {
  PATHRT_NOT_ADDED, /* after a message */
  PATHRT_ADDED,
  PATHRT_ADDED_BESIDE, /* the counts were added to another file, because they could not be added to FILE */
};

/* Subtracts the counts in `subtracted`, unless it is null, from the file, which must be locked.  Then adds the counts
 * in `image`.  If a difference is negative, it is replaced with 0.  This can happen if the subtracted counts were
 * written to an earlier file with the same name.  */
enum pathrt_added pathrt_file_change(const struct pathrt_name *file, const struct pathprof_buffer *subtracted,
                                     const struct pathprof_buffer *image, pathrt_pending pending);

/* Adds the image of a process that has ended.  If the file and the image contain different builds of a module, the
 * image replaces the file if this process runs the image's build.  If this process runs a different build, the image is
 * added to the profile that is kept for the image's build.  If the image has no module in common with this process, the
 * image is not added, and no message is printed.  */
enum pathrt_added pathrt_file_add_orphan(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                         pathrt_pending pending);

/* Computes the sum of two profile images.  The caller must free `*sum`.  If the images do not match or memory is
 * exhausted, sets `*error`, leaves `*sum` empty and returns false.  */
bool pathrt_join(const struct pathprof_buffer *one, const struct pathprof_buffer *other, struct pathprof_buffer *sum,
                 struct pathprof_error *error);

#endif
