/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Builds the counts, cycles and forests sections, one function of a unit at a time.  */
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

/* The serialized data of a unit's functions for one section.  */
struct pathprof_unit_entry {
  struct pathprof_buffer functions;
  uint64_t num_functions;
  uint64_t previous; /* index of the last function that was appended */
};
struct pathprof_unit_sums {
  struct pathprof_unit_entry counts, cycles, forests, measuring;
};

/* Clears the entries but keeps their memory.  The entries must be zero before their first use.  */
void pathprof_begin_unit_sums(struct pathprof_unit_sums *sums);
void pathprof_free_unit_sums(struct pathprof_unit_sums *sums);

/* Sorts the counts and cycles of a function, and appends the nonzero values.  Subtracts the cost of measuring from the
 * cycles, and records this cost.  `cost` is the cost per executed path in 256ths of a cycle.  */
void pathprof_put_function_sums(struct pathprof_unit_sums *sums, uint64_t index, struct pathprof_buffer *counts,
                                struct pathprof_buffer *cycles, uint64_t cost);

/* Appends the forest of a function and the counts of its paths.  `counts` and `put` are scratch memory.  Returns false
 * if memory is exhausted.  */
bool pathprof_put_function_forest(struct pathprof_unit_sums *sums, uint64_t index,
                                  const struct pathprof_forest_sum *forest, struct pathprof_buffer *counts,
                                  struct pathprof_forest_put *put);

/* Appends the entries of the unit to the sections for counts, cycles, forests and the cost of measuring.  */
void pathprof_put_unit_sums(struct pathprof_writer *writer, const struct pathprof_unit_sums *sums);

#ifdef __cplusplus
}
#endif
#endif
