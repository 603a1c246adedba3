/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The sections of counts, cycles and forests while they are made: one unit's functions at a time.  */
#ifndef PATHPROF_PROFILE_FORMAT_UNIT_SUMS_H
#define PATHPROF_PROFILE_FORMAT_UNIT_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/format/bytes.h"
#include "profile/format/image.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pathprof_forest_sum;
struct pathprof_forest_put;

/* The entries of a unit's functions while they are made.  */
struct pathprof_unit_entry {
  struct pathprof_buffer functions;
  uint64_t num_functions;
  uint64_t previous; /* index of the last one */
};
struct pathprof_unit_sums {
  struct pathprof_unit_entry counts, cycles, forests, measuring;
};

/* Empties the entries, keeping their memory.  Before the first use they must be zero.  */
void pathprof_begin_unit_sums(struct pathprof_unit_sums *sums);
void pathprof_free_unit_sums(struct pathprof_unit_sums *sums);

/* Sorts a function's counts and cycles and puts what there is of them.  Of the cycles what it cost to measure them
 * is taken away, so many 256ths of a cycle for each path counted, and put beside them.  */
void pathprof_put_function_sums(struct pathprof_unit_sums *sums, uint64_t index, struct pathprof_buffer *counts,
                                struct pathprof_buffer *cycles, uint64_t cost);

/* Puts a function's forest, and the counts of the paths in it.  `counts` and `put` are scratch.  False without memory.
 */
bool pathprof_put_function_forest(struct pathprof_unit_sums *sums, uint64_t index,
                                  const struct pathprof_forest_sum *forest, struct pathprof_buffer *counts,
                                  struct pathprof_forest_put *put);

/* Puts the unit's entries into the sections of counts, cycles, forests and what measuring cost.  */
void pathprof_put_unit_sums(struct pathprof_writer *writer, const struct pathprof_unit_sums *sums);

#ifdef __cplusplus
}
#endif
#endif
