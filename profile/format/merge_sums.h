/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Merges the counts, cycles or forests of one unit from two profiles.
 *
 * This C code depends only on libc, because the runtime and the tools share it.  */
#ifndef PATHPROF_PROFILE_FORMAT_MERGE_SUMS_H
#define PATHPROF_PROFILE_FORMAT_MERGE_SUMS_H

#include <stdint.h>

#include "profile/format/bytes.h"
#include "profile/format/forest.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The weights of the two profiles, and memory that is reused for each unit.  All other fields must be zero before the
 * first use.  */
struct pathprof_sum_merger {
  uint64_t weight[2];
  struct pathprof_buffer functions, paths;
  struct pathprof_forest_put forest;
};
void pathprof_sum_merger_free(struct pathprof_sum_merger *merger);

/* Both functions merge the data of a unit and move the two cursors past the data.  A null cursor means that this
 * profile has no data.  They append the number of functions and the merged data, and return the number of functions.
 * The cursors record faults in the data.  */
uint64_t pathprof_merge_unit_sums(struct pathprof_sum_merger *merger, struct pathprof_cursor *cursors[2],
                                  struct pathprof_buffer *out);
uint64_t pathprof_merge_unit_forests(struct pathprof_sum_merger *merger, struct pathprof_cursor *cursors[2],
                                     struct pathprof_buffer *out);

#ifdef __cplusplus
}
#endif
#endif
