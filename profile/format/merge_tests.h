/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Merging the tests of two profiles, whose units have other places in the merged one.
 *
 * Libc-only C, compiled into the runtime and into the tools.  */
#ifndef PATHPROF_PROFILE_FORMAT_MERGE_TESTS_H
#define PATHPROF_PROFILE_FORMAT_MERGE_TESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/format/merge_sums.h"
#include "profile/format/tests.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero before the first use.  */
struct pathprof_test_merger {
  struct pathprof_buffer places[2]; /* 8 bytes for each unit of a side: its place in the merged profile */
  bool has_moved[2];                /* a unit has another place than before */
  struct pathprof_test_list list;
  struct pathprof_buffer functions, counts, forests;
};
void pathprof_test_merger_free(struct pathprof_test_merger *merger);

/* Notes that the next unit of the sides that have it gets this place.  */
void pathprof_note_merged_unit(struct pathprof_test_merger *merger, const bool has[2], uint64_t place);

/* Puts the section of tests, moving the cursors; tests of one name are added.  `of_unit` has the weights.  Returns the
 * number of tests.  What is wrong with the data the cursors say.  */
uint64_t pathprof_merge_tests(struct pathprof_test_merger *merger, struct pathprof_sum_merger *of_unit,
                              struct pathprof_cursor tests[2], struct pathprof_buffer *out);

#ifdef __cplusplus
}
#endif
#endif
