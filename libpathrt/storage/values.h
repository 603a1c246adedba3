/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Counting values (values=1), in the table that a function has beside the storage of its paths.  */
#ifndef PATHRT_VALUES_H
#define PATHRT_VALUES_H

#include <stdint.h>

#include "profile/format/abi.h"

/* Counts one execution of the site with this value.  May be called from any context, signal handlers included, and
 * leaves errno alone.  */
void __pathrt_value(struct pathprof_table *table, uint64_t site, int64_t value);
/* Counts likewise, exactly while threads race.  */
void __pathrt_value_atomic(struct pathprof_table *table, uint64_t site, int64_t value);

/* The function that the thread's last indirect call called begins: counts it, under this number of its own, and forgets
 * the call.  */
void __pathrt_called(int64_t callee);

/* The last indirect call, of each thread.  */
extern __thread struct pathprof_indirect_call __pathrt_indirect_call;

#endif
