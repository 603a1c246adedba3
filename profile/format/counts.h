/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Path counts by the paths' numbers: sorting them and adding up those of one path.  */
#ifndef PATHPROF_PROFILE_FORMAT_COUNTS_H
#define PATHPROF_PROFILE_FORMAT_COUNTS_H

#include <stdint.h>

#include "profile/format/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How often a path ran; or the cycles that were spent on it.  */
struct pathprof_count {
  uint64_t id;
  uint64_t count;
};

/* Sorts by id.  */
void pathprof_sort_by_id(struct pathprof_count *counts, uint64_t n);

/* Sorts a buffer of counts by id and adds up what belongs to one id.  Returns their number.  */
uint64_t pathprof_sort_counts(struct pathprof_buffer *counts);

#ifdef __cplusplus
}
#endif
#endif
