/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* One function's path counts while an image is made of them.  */
#ifndef PATHPROF_PROFILE_COUNTS_H
#define PATHPROF_PROFILE_COUNTS_H

#include <stdint.h>

#include "profile/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pathprof_count {
  uint64_t id;
  uint64_t count;
};

/* Sorts a buffer of counts by id and adds up what belongs to one id.  Returns their number.  */
uint64_t pathprof_sort_counts(struct pathprof_buffer *counts);

/* Sorts the counts and puts the function's entry of the counts section.  `previous` is its index in
 * the last entry.  */
void pathprof_put_counts(struct pathprof_buffer *out, uint64_t previous, uint64_t index,
                         struct pathprof_buffer *counts);

#ifdef __cplusplus
}
#endif
#endif
