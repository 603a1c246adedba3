/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Merges two profile images, section by section, in one pass over their sorted data.
 *
 * The runtime and the tools share this code, so it is written in C and depends only on libc.  */
#ifndef PATHPROF_PROFILE_FORMAT_MERGE_H
#define PATHPROF_PROFILE_FORMAT_MERGE_H

#include "profile/format/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Merges two images.  Counts, cycles, costs, forests and process statistics are multiplied by the weights of their
 * images and added with saturating arithmetic.  The result contains the notes and modules of both images.  Tests with
 * the same name are combined.  The operation is associative and commutative.  If the data is inconsistent, returns
 * false and sets `*error`.  If `*in_second` is true, error->offset is an offset in the second image.  */
bool pathprof_merge(const struct pathprof_image *a, uint64_t weight_a, const struct pathprof_image *b,
                    uint64_t weight_b, struct pathprof_buffer *file, struct pathprof_error *error, bool *in_second);

#ifdef __cplusplus
}
#endif
#endif
