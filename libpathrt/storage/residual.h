/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Preferential profiling: counting residual paths, and telling who wants to know when one runs for the first time.  */
#ifndef PATHRT_RESIDUAL_H
#define PATHRT_RESIDUAL_H

#include <stdint.h>

#include "profile/format/abi.h"

/* Adds `amount` to the count of a path that may be residual; `sum` is what the path register has at its end, `cache`
 * the table's inline cache, null: it has none.  Called by instrumented code (PATHPROF_RESIDUAL_SYMBOL) from any
 * context, and leaves errno alone.  */
void __pathrt_residual(struct pathprof_table *table, uint64_t sum, const struct pathprof_residual_info *info,
                       uint64_t amount, struct pathprof_slot *cache);
/* Counts likewise, exactly while threads race.  */
void __pathrt_residual_atomic(struct pathprof_table *table, uint64_t sum, const struct pathprof_residual_info *info,
                              uint64_t amount, struct pathprof_slot *cache);
/* A counter in the function's array, or in this thread's copy of it, went up and had been zero (PATHPROF_FIRST_SYMBOL).
 */
void __pathrt_first(const struct pathprof_residual_info *info, uint64_t *counter);

/* Frees what is known of paths that were told of.  Nobody may count any more.  */
void pathrt_residual_release(void);

#endif
