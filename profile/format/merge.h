/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Merging two profile images: a merge of sorted streams, section by section, in one pass.
 *
 * Libc-only C, compiled into the runtime and into the tools: merging exists once.  */
#ifndef PATHPROF_PROFILE_FORMAT_MERGE_H
#define PATHPROF_PROFILE_FORMAT_MERGE_H

#include "profile/format/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Merges two images: counts, cycles, their cost and forests times their weights are added (saturating), notes and
 * modules united, runs, forks and all else that is counted of processes added; tests of one name are one test.
 * Associative and commutative.  False
 * with *error filled where the data contradicts itself; error->offset then belongs to the second image if *in_second.
 */
bool pathprof_merge(const struct pathprof_image *a, uint64_t weight_a, const struct pathprof_image *b,
                    uint64_t weight_b, struct pathprof_buffer *file, struct pathprof_error *error, bool *in_second);

#ifdef __cplusplus
}
#endif
#endif
