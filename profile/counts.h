/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* One function's path counts while an image is made of them.  */
#ifndef PATHPROF_PROFILE_COUNTS_H
#define PATHPROF_PROFILE_COUNTS_H

#include <stdint.h>

#include "profile/bytes.h"
#include "profile/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a path; or the cycles spent on it.  */
struct pathprof_count {
  uint64_t id;
  uint64_t count;
};

/* Sorts by id.  */
void pathprof_sort_by_id(struct pathprof_count *counts, uint64_t n);

/* Sorts a buffer of counts by id and adds up what belongs to one id.  Returns their number.  */
uint64_t pathprof_sort_counts(struct pathprof_buffer *counts);

struct pathprof_forest_sum;
struct pathprof_forest_put;

/* The entries of a unit's functions while they are made.  */
struct pathprof_unit_entry {
  struct pathprof_buffer functions;
  uint64_t num_functions;
  uint64_t previous; /* index of the last one */
};
struct pathprof_unit_sums {
  struct pathprof_unit_entry counts, cycles, forests;
};

/* Empties the entries, keeping their memory.  Before the first use they must be zero.  */
void pathprof_begin_unit_sums(struct pathprof_unit_sums *sums);
void pathprof_free_unit_sums(struct pathprof_unit_sums *sums);

/* Sorts a function's counts and cycles and puts what there is of them.  Of the cycles what it cost to measure them
 * is taken away: so many 256ths of a cycle for each path counted.  */
void pathprof_put_function_sums(struct pathprof_unit_sums *sums, uint64_t index, struct pathprof_buffer *counts,
                                struct pathprof_buffer *cycles, uint64_t cost);

/* Puts a function's forest, and the counts of the paths in it.  `counts` and `put` are scratch.  False without memory.
 */
bool pathprof_put_function_forest(struct pathprof_unit_sums *sums, uint64_t index,
                                  const struct pathprof_forest_sum *forest, struct pathprof_buffer *counts,
                                  struct pathprof_forest_put *put);

/* Puts the unit's entries into the sections of counts, cycles and forests.  */
void pathprof_put_unit_sums(struct pathprof_writer *writer, const struct pathprof_unit_sums *sums);

#ifdef __cplusplus
}
#endif
#endif
