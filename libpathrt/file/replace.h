/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Atomic replacement of files.  The new contents are first written to a temporary file in the same directory.  Then,
 * the temporary file is renamed.  Only the thread that is inside the registry may call these functions
 * (libpathrt/process/entry.h).  */
#ifndef PATHRT_REPLACE_H
#define PATHRT_REPLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libpathrt/file/contents.h"
#include "libpathrt/process/name.h"
#include "profile/format/bytes.h"

#pragma GCC visibility push(hidden)

/* Function that is called before the temporary file with the new contents is renamed.  `name` and `inode` identify the
 * temporary file; `name` does not contain a directory.  If the renaming fails, the function is called again with an
 * empty name.  */
typedef void (*pathrt_pending)(const char *name, uint64_t inode);

/* Writes the new contents to a temporary file and stores its name in `*temporary`.  `rights` contains the owner and
 * permissions of the file to be replaced, which are preserved if possible.  For a new file, `rights` is null.  On
 * failure, prints a message and returns false.  */
bool pathrt_write_temporary(struct pathrt_name *temporary, const struct pathrt_name *file,
                            const struct pathprof_buffer *bytes, const struct pathrt_rights *rights);
/* Calls `pending`, unless it is null, and then renames the temporary file to `file`.  On failure, prints a message and
 * returns false.  */
bool pathrt_commit(const struct pathrt_name *temporary, const struct pathrt_name *file, pathrt_pending pending);

/* Writes the new contents to a temporary file and renames it to `file`.  */
bool pathrt_replace(const struct pathrt_name *file, const struct pathprof_buffer *bytes,
                    const struct pathrt_rights *rights, pathrt_pending pending);

/* Removes the temporary files that dead processes left in the directory of `file`, which must be locked.  */
void pathrt_remove_temporaries(const struct pathrt_name *file);

#pragma GCC visibility pop

#endif
