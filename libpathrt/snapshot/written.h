/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* For each counter, three amounts: the amount already written to a profile, the value at the start of a recording (the
 * mark), and the provisional count.
 *
 * An increment consists of a load, an addition and a store.  If a signal handler or another thread set the counter to
 * zero between the load and the store, the store would restore the old value.  While the program is running, the
 * runtime therefore only reads counters and remembers the amounts that it has written.  The caller must have entered
 * the registry (libpathrt/process/entry.h).  */
#ifndef PATHRT_WRITTEN_H
#define PATHRT_WRITTEN_H

#include <stdbool.h>
#include <stdint.h>

/* Returns a pointer to the amount that has already been written to a profile for this counter, or null if no amount is
 * stored.  If `make` is true and no amount is stored, stores the amount 0, and returns null only if memory is
 * exhausted.  The pointer is valid until the next call.  */
uint64_t *pathrt_written(const uint64_t *counter, bool make);

/* Discards, for all counters, the stored amounts that have already been written to a profile, and unmaps the memory
 * that holds these amounts.  */
void pathrt_written_release(void);

/* ---- marks: values of the counters when a recording began (libpathrt/recording.c) ---- */

/* Removes all marks, so that new marks can be set.  A counter without a mark is treated as if its mark were 0.  */
void pathrt_begin_marks(void);
/* Sets the mark of a counter.  Returns false if memory is exhausted.  */
bool pathrt_mark(const uint64_t *counter, uint64_t value);
/* Returns the difference between `value` and the counter's mark, or 0 if `value` is less than the mark.  */
uint64_t pathrt_since_mark(const uint64_t *counter, uint64_t value);
/* Adds `by` (modulo 2^64) to the mark of a counter, because the runtime itself has changed the counter by that
 * amount.  */
void pathrt_move_mark(const uint64_t *counter, uint64_t by);
/* Returns true if the runtime itself has changed counters since their marks were set, for example by setting them to
 * zero.  In this case, a counter may have been incremented since its mark was set even if its value is 0.  */
bool pathrt_marks_have_moved(void);
void pathrt_end_marks(void);

/* ---- provisional counts: of paths that end only if the process ends (libpathrt/provisional.c) ---- */

/* Adds 1 to a counter and to its provisional count.  If memory is exhausted, returns false and adds nothing.  */
bool pathrt_count_provisionally(uint64_t *counter);
/* Returns the provisional count of a counter.  */
uint64_t pathrt_provisional(const uint64_t *counter);
/* Returns true if any counter has a provisional count.  */
bool pathrt_has_provisional(void);
/* Subtracts each provisional count from its counter, then removes all provisional counts.  */
void pathrt_subtract_provisional(void);
/* Removes all provisional counts; the counters keep their values.  If `forked` is true, does not unmap the memory of
 * the provisional counts, because another thread of the parent may have been changing this memory at the time of the
 * fork.  */
void pathrt_forget_provisional(bool forked);

#endif
