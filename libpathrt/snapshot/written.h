/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* How much of each counter is in a profile already, how much it had when a recording began, and how much is
 * provisional.
 *
 * A plain increment is a load, an addition and a store.  Whoever sets a counter to zero between the load
 * and the store, in a signal handler or from another thread, sees it come back with all that it had.  So
 * the counters of a running program are only read, and this says what was taken from them before.  Used
 * with the registry entered.  */
#ifndef PATHRT_WRITTEN_H
#define PATHRT_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

/* How much of a counter is written.  Null where nothing is yet, or with `make` where there is no memory for it.  Valid
 * until the next call.  */
uint64_t *pathrt_written(const uint64_t *counter, bool make);

/* Forgets how much is written and unmaps the memory.  */
void pathrt_written_release(void);

/* ---- marks: what counters had when a recording began (libpathrt/recording.c) ---- */

/* From now on counters without a mark have the mark 0.  */
void pathrt_begin_marks(void);
/* False without memory.  */
bool pathrt_mark(const uint64_t *counter, uint64_t value);
/* How much of its value the counter has counted since; 0 where it has fallen below its mark.  */
uint64_t pathrt_since_mark(const uint64_t *counter, uint64_t value);
/* The runtime itself has added so much (modulo 2^64) to the counter, which counted nothing by that.  */
void pathrt_move_mark(const uint64_t *counter, uint64_t by);
/* Whether a counter that is zero may have counted since.  */
bool pathrt_marks_have_moved(void);
void pathrt_end_marks(void);

/* ---- provisional counts: of paths that end only if the process does (libpathrt/provisional.c) ---- */

/* Adds 1 to a counter and to its provisional count.  Returns false, and adds nothing, without memory.  */
bool pathrt_count_provisionally(uint64_t *counter);
/* Returns the counter's provisional count.  */
uint64_t pathrt_provisional(const uint64_t *counter);
/* Returns true if a counter has a provisional count.  */
bool pathrt_has_provisional(void);
/* Subtracts all provisional counts from their counters, and forgets them.  */
void pathrt_subtract_provisional(void);
/* Forgets all provisional counts.  The counters keep their values.  `forked`: in a child, where another thread of the
 * parent may have been changing the memory of these counts, which is then not unmapped.  */
void pathrt_forget_provisional(bool forked);

#endif
