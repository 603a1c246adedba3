/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Counts the values of expressions (values=1), in a table that is separate from the function's path counts.  */
#ifndef PATHRT_VALUES_H
#define PATHRT_VALUES_H

#include <stdint.h>

#include "profile/format/abi.h"

/* Records one evaluation of the expression with the number `site`.  The result of the evaluation is `value`.  Can be
 * called in any context, including signal handlers, and preserves errno.  */
void __pathrt_value(struct pathprof_table *table, uint64_t site, int64_t value);
/* Same as __pathrt_value, but loses no counts if threads race.  */
void __pathrt_value_atomic(struct pathprof_table *table, uint64_t site, int64_t value);

/* Called at the start of a function that was called indirectly.  Counts the function as the target of the thread's last
 * indirect call, and clears the record of that call.  `callee` is the number of the function.  */
void __pathrt_called(int64_t callee);

/* Last indirect call of each thread.  */
extern __thread struct pathprof_indirect_call __pathrt_indirect_call;

#endif
