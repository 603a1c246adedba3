/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Merges two profile images, section by section, in one pass over their sorted data.
 *
 * This C code depends only on libc, because the runtime and the tools share it.  */
#ifndef PATHPROF_PROFILE_FORMAT_MERGE_H
#define PATHPROF_PROFILE_FORMAT_MERGE_H

#include "profile/format/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Merges two images.  Adds the counts, cycles, costs, forests and process statistics, multiplied by the weights, with
 * saturation.  Unites the notes and the modules.  Adds up tests with the same name.  The operation is associative and
 * commutative.  Returns false and sets `*error` if the data is inconsistent; if `*in_second` is true, error->offset
 * refers to the second image.  */
bool pathprof_merge(const struct pathprof_image *a, uint64_t weight_a, const struct pathprof_image *b,
                    uint64_t weight_b, struct pathprof_buffer *file, struct pathprof_error *error, bool *in_second);

#ifdef __cplusplus
}
#endif
#endif
