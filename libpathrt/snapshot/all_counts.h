/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Operations on all of a module's counts, in the counter section and in each thread's copy of it.
 *
 * Except for pathrt_discard_counts, the caller must have entered the registry (libpathrt/process/entry.h).  */
#ifndef PATHRT_ALL_COUNTS_H
#define PATHRT_ALL_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/snapshot/snapshot.h"
#include "libpathrt/storage/units.h"
#include "profile/format/bytes.h"

/* Starts a snapshot.  `alone` is true if no other thread can be counting paths.  */
void pathrt_begin_snapshot(struct pathrt_snapshot *snapshot, bool alone);
/* Ends a snapshot.  The collected counts and the journal remain in `snapshot`.  */
void pathrt_end_snapshot(struct pathrt_snapshot *snapshot);
/* Adds an array of counters, and each thread's copy of it, to the snapshot.  */
void pathrt_snapshot_all_counters(struct pathrt_snapshot *snapshot, uint64_t *counters, uint64_t n);
/* Adds a unit's table, and each thread's copy of it, to the snapshot.  */
void pathrt_snapshot_all_tables(struct pathrt_snapshot *snapshot, pathrt_unit unit, uint64_t index);

/* Sets all counts to zero.  `alone` is true if no other thread can be counting paths.  In this case, the function needs
 * neither memory nor locks, so it can run in the child of a fork.  */
void pathrt_discard_counts(bool alone);

/* Sets the mark of each counter to the counter's current value (libpathrt/snapshot/written.h).  Returns false if memory
 * is exhausted.  */
bool pathrt_mark_counts(void);

/* Unmaps all memory that holds counts, before the module is unloaded.  */
void pathrt_release_counts(void);

/* Saves the keys in the inline caches of all tables; pathrt_restore_caches restores them.  If `tls_counter_offset`, the
 * offset of a thread's copy of the counter section, is not 0, also saves the keys in the caches of that copy.  */
void pathrt_save_caches(struct pathprof_buffer *saved, uint64_t tls_counter_offset);

/* Call pathrt_seal_forest or pathrt_abandon_forest for each forest.  Used in continuous mode.  */
void pathrt_seal_forests(void);
void pathrt_abandon_forests(void);

#endif
