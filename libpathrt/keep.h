/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Counts of finished tests that are not written yet.  The caller must have entered the registry
 * (libpathrt/process/entry.h).  */
#ifndef PATHRT_KEEP_H
#define PATHRT_KEEP_H

#include <stdbool.h>

#include "profile/format/bytes.h"

/* Stores an image (libpathrt/snapshot/collect.h) and takes ownership of its memory.  Returns false if memory is
 * exhausted; the image is then unchanged.  */
bool pathrt_keep(struct pathprof_buffer *image);
/* Returns true if the counts of a finished test are not written yet.  */
bool pathrt_has_kept(void);
/* Computes the sum of `image` and all kept images.  Returns false if memory is exhausted.  */
bool pathrt_add_kept(const struct pathprof_buffer *image, struct pathprof_buffer *sum);
/* Discards all kept images.  With `forked`, does not free them, because another thread of the parent may have been
 * changing them.  */
void pathrt_forget_kept(bool forked);

#endif
