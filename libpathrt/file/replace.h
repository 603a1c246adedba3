/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Atomic replacement of files: the new contents are complete in a temporary file in the same directory before that file
 * is renamed.
 *
 * Only one thread of the process may use these functions (libpathrt/process/entry.h).  */
#ifndef PATHRT_REPLACE_H
#define PATHRT_REPLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libpathrt/file/contents.h"
#include "libpathrt/process/name.h"
#include "profile/format/bytes.h"

#pragma GCC visibility push(hidden)

/* Function that is called when a file with the new contents is about to be renamed.  `name` has no directory part.  */
typedef void (*pathrt_pending)(const char *name, uint64_t inode);

/* New contents before the rename.  */
struct pathrt_temporary {
  struct pathrt_name name;
};

/* Writes the new contents to a temporary file.  `rights` are the permissions of the file to be replaced, which are kept
 * if possible, or null for a new file.  Returns false after printing a message.  */
bool pathrt_write_temporary(struct pathrt_temporary *temporary, const struct pathrt_name *file,
                            const struct pathprof_buffer *bytes, const struct pathrt_rights *rights);
/* Renames the temporary file to `file`, and calls `pending` before that unless it is null.  Returns false after
 * printing a message.  */
bool pathrt_commit(const struct pathrt_temporary *temporary, const struct pathrt_name *file, pathrt_pending pending);

/* Writes a temporary file and renames it to `file`.  */
bool pathrt_replace(const struct pathrt_name *file, const struct pathprof_buffer *bytes,
                    const struct pathrt_rights *rights, pathrt_pending pending);

/* Removes the temporary files of dead processes next to the locked file.  */
void pathrt_remove_temporaries(const struct pathrt_name *file);

#pragma GCC visibility pop

#endif
