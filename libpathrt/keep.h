/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What this module counted in tests that are over, until it is written.  Needs the registry entered
 * (libpathrt/process/entry.h).  */
#ifndef PATHRT_KEEP_H
#define PATHRT_KEEP_H

#include <stdbool.h>

#include "profile/format/bytes.h"

/* Keeps an image (libpathrt/snapshot/collect.h), and takes its memory over.  False without memory; the image then is as
 * it was.  */
bool pathrt_keep(struct pathprof_buffer *image);
bool pathrt_has_kept(void);
/* Makes the sum of an image and all that is kept.  False without memory.  */
bool pathrt_add_kept(const struct pathprof_buffer *image, struct pathprof_buffer *sum);
/* `forked`: in a child, which cannot know how far a thread of its parent was with what is kept.  */
void pathrt_forget_kept(bool forked);

#endif
