/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Merges the tests of two profiles.  A unit can have a different index in the merged profile.
 *
 * The runtime and the tools share this code, so it is written in C and depends only on libc.  */
#ifndef PATHPROF_PROFILE_FORMAT_MERGE_TESTS_H
#define PATHPROF_PROFILE_FORMAT_MERGE_TESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/format/merge_sums.h"
#include "profile/format/tests.h"

#ifdef __cplusplus
extern "C" {
#endif

/* State of a merge.  All fields must be zero before the first use.  */
struct pathprof_test_merger {
  struct pathprof_buffer places[2]; /* for each unit of a profile, its index in the merged profile (8 bytes) */
  bool has_moved[2];                /* true if any unit has a different index in the merged profile */
  struct pathprof_test_list list;
  struct pathprof_buffer functions, counts, forests;
};
void pathprof_test_merger_free(struct pathprof_test_merger *merger);

/* Records `place` as the index of a unit in the merged profile.  If has[s] is true, the unit is the next unit of
 * profile s.  */
void pathprof_note_merged_unit(struct pathprof_test_merger *merger, const bool has[2], uint64_t place);

/* Appends the tests section and advances the cursors.  Combines tests with the same name.  `of_unit` contains the
 * weights.  Returns the number of tests.  Errors in the data are recorded in the cursors.  */
uint64_t pathprof_merge_tests(struct pathprof_test_merger *merger, struct pathprof_sum_merger *of_unit,
                              struct pathprof_cursor tests[2], struct pathprof_buffer *out);

#ifdef __cplusplus
}
#endif
#endif
