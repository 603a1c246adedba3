/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Sorts path counts by path ID and combines the counts of the same path.  */
#ifndef PATHPROF_PROFILE_FORMAT_COUNTS_H
#define PATHPROF_PROFILE_FORMAT_COUNTS_H

#include <stdint.h>

#include "profile/format/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A path ID, and the execution count or the cycles of the path.  */
struct pathprof_count {
  uint64_t id;
  uint64_t count;
};

/* Sorts counts by path ID.  */
void pathprof_sort_by_id(struct pathprof_count *counts, uint64_t n);

/* Sorts a buffer of counts by path ID, and combines the counts of each path.  Returns the number of counts that
 * remain.  */
uint64_t pathprof_sort_counts(struct pathprof_buffer *counts);

#ifdef __cplusplus
}
#endif
#endif
