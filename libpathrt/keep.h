/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Keeps counts of finished tests in memory until the counts are written.  The caller must be inside the registry
 * (libpathrt/process/entry.h).  */
#ifndef PATHRT_KEEP_H
#define PATHRT_KEEP_H

#include <stdbool.h>

#include "profile/format/bytes.h"

/* Stores an image (libpathrt/snapshot/collect.h) and takes ownership of its memory.  If memory is exhausted, returns
 * false and leaves the image unchanged.  */
bool pathrt_keep(struct pathprof_buffer *image);
/* Returns true if counts of a finished test have not been written yet.  */
bool pathrt_has_kept(void);
/* Computes the sum of `image` and all kept images.  Returns false if memory is exhausted.  */
bool pathrt_add_kept(const struct pathprof_buffer *image, struct pathprof_buffer *sum);
/* Discards all kept images.  If `forked` is true, does not free them, because another thread of the parent may have
 * been changing them during the fork.  */
void pathrt_forget_kept(bool forked);

#endif
