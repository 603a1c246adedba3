/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Merging what two profiles counted of one unit: paths, or what is laid out as they are, and forests.
 *
 * Libc-only C, compiled into the runtime and into the tools.  */
#ifndef PATHPROF_PROFILE_FORMAT_MERGE_SUMS_H
#define PATHPROF_PROFILE_FORMAT_MERGE_SUMS_H

#include <stdint.h>

#include "profile/format/bytes.h"
#include "profile/format/forest.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The weights of the two sides, and memory that is used again for each unit.  Zero but for the weights before the first
 * use.  */
struct pathprof_sum_merger {
  uint64_t weight[2];
  struct pathprof_buffer functions, paths;
  struct pathprof_forest_put forest;
};
void pathprof_sum_merger_free(struct pathprof_sum_merger *merger);

/* Each merges what the two sides have of a unit, moving their cursors behind it; null: a side that has nothing.  Puts
 * the number of functions and these, and returns the number.  What is wrong with the data the cursors say.  */
uint64_t pathprof_merge_unit_sums(struct pathprof_sum_merger *merger, struct pathprof_cursor *cursors[2],
                                  struct pathprof_buffer *out);
uint64_t pathprof_merge_unit_forests(struct pathprof_sum_merger *merger, struct pathprof_cursor *cursors[2],
                                     struct pathprof_buffer *out);

#ifdef __cplusplus
}
#endif
#endif
