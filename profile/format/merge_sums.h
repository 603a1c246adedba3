/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Merges the counts, cycles or forests of one unit from two profiles.
 *
 * The runtime and the tools share this code, so it is written in C and depends only on libc.  */
#ifndef PATHPROF_PROFILE_FORMAT_MERGE_SUMS_H
#define PATHPROF_PROFILE_FORMAT_MERGE_SUMS_H

#include <stdint.h>

#include "profile/format/bytes.h"
#include "profile/format/forest.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The weights of the two profiles, and buffers that are reused for each unit.  All fields except `weight` must be zero
 * before the first use.  */
struct pathprof_sum_merger {
  uint64_t weight[2];
  struct pathprof_buffer functions, paths;
  struct pathprof_forest_put forest;
};
void pathprof_sum_merger_free(struct pathprof_sum_merger *merger);

/* Merges the counts or cycles of a unit, and moves the two cursors past the unit's data.  A null cursor means that the
 * profile has no data for the unit.  Appends the number of functions and the merged data, and returns the number of
 * functions.  Errors in the data are recorded in the cursors.  */
uint64_t pathprof_merge_unit_sums(struct pathprof_sum_merger *merger, struct pathprof_cursor *cursors[2],
                                  struct pathprof_buffer *out);
/* Merges the forests of a unit in the same way as pathprof_merge_unit_sums merges counts.  */
uint64_t pathprof_merge_unit_forests(struct pathprof_sum_merger *merger, struct pathprof_cursor *cursors[2],
                                     struct pathprof_buffer *out);

#ifdef __cplusplus
}
#endif
#endif
