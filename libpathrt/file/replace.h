/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Replacing files at one stroke: new contents are complete in a temporary file in the same folder before that is
 * renamed.
 *
 * Only one thread of the process may be in here (libpathrt/process/entry.h).  */
#ifndef PATHRT_REPLACE_H
#define PATHRT_REPLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libpathrt/file/contents.h"
#include "libpathrt/process/name.h"
#include "profile/format/bytes.h"

#pragma GCC visibility push(hidden)

/* A function that is called when a file of that name (without folder) and inode, which holds the new contents, is about
 * to be renamed.  */
typedef void (*pathrt_pending)(const char *name, uint64_t inode);

/* Contents on their way into a file.  */
struct pathrt_temporary {
  struct pathrt_name name;
};

/* `rights` are those of the file to be replaced, which are kept if possible; null for a new file.  False after a
 * message.
 */
bool pathrt_write_temporary(struct pathrt_temporary *temporary, const struct pathrt_name *file,
                            const struct pathprof_buffer *bytes, const struct pathrt_rights *rights);
/* Gives the temporary the name of the file.  `pending`: who is told of it, or null.  False after a message.  */
bool pathrt_commit(const struct pathrt_temporary *temporary, const struct pathrt_name *file, pathrt_pending pending);

/* Writes a temporary and gives it the name of the file.  */
bool pathrt_replace(const struct pathrt_name *file, const struct pathprof_buffer *bytes,
                    const struct pathrt_rights *rights, pathrt_pending pending);

/* Removes the temporaries that dead processes left beside the locked file.  */
void pathrt_remove_temporaries(const struct pathrt_name *file);

#pragma GCC visibility pop

#endif
