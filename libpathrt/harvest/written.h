/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* How much of each counter is in a profile already.
 *
 * A plain increment is a load, an addition and a store.  Whoever sets a counter to zero between the load
 * and the store, in a signal handler or from another thread, sees it come back with all that it had.  So
 * the counters of a running program are only read, and this says what was taken from them before.  Used
 * with the registry entered.  */
#ifndef PATHRT_WRITTEN_H
#define PATHRT_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

/* The amount that belongs to a counter.  Null where there is none yet, or with `make` where there is no
 * memory for it.  Valid until the next call.  */
uint64_t *pathrt_written(const uint64_t *counter, bool make);

/* Forgets everything and unmaps the memory.  */
void pathrt_written_release(void);

#endif
