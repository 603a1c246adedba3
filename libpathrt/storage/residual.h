/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Preferential profiling: counts residual paths and reports their first execution to a callback.  */
#ifndef PATHRT_RESIDUAL_H
#define PATHRT_RESIDUAL_H

#include <stdint.h>

#include "profile/format/abi.h"

/* Adds `amount` to the count of a path that may be residual.  `sum` is the value of the path register at the end of the
 * path.  `cache` is the table's inline cache, or null.  Instrumented code can call this function
 * (PATHPROF_RESIDUAL_SYMBOL) in any context.  Preserves errno.  */
void __pathrt_residual(struct pathprof_table *table, uint64_t sum, const struct pathprof_residual_info *info,
                       uint64_t amount, struct pathprof_slot *cache);
/* Same as __pathrt_residual, but loses no counts if threads race.  */
void __pathrt_residual_atomic(struct pathprof_table *table, uint64_t sum, const struct pathprof_residual_info *info,
                              uint64_t amount, struct pathprof_slot *cache);
/* Called when a counter in the function's array, or in this thread's copy of the array, was incremented from 0.
 * Instrumented code calls this function (PATHPROF_FIRST_SYMBOL).  */
void __pathrt_first(const struct pathprof_residual_info *info, uint64_t *counter);

/* Empties the lists of reported paths.  Must not be called while any thread can still count.  */
void pathrt_residual_release(void);

#endif
