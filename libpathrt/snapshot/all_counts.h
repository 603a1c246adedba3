/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* All counts of this module, in its counters and in all threads' copies of them.
 *
 * All but pathrt_discard_counts need the registry entered (libpathrt/process/entry.h).  */
#ifndef PATHRT_ALL_COUNTS_H
#define PATHRT_ALL_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/snapshot/snapshot.h"
#include "libpathrt/storage/units.h"
#include "profile/format/bytes.h"

/* Starts a snapshot.  `alone`: no thread is counting.  */
void pathrt_begin_snapshot(struct pathrt_snapshot *snapshot, bool alone);
/* Ends the snapshot, which keeps its counts and its journal.  */
void pathrt_end_snapshot(struct pathrt_snapshot *snapshot);
/* Adds the counts of a unit's counters and of all threads' copies of them to the snapshot.  */
void pathrt_snapshot_all_counters(struct pathrt_snapshot *snapshot, uint64_t *counters, uint64_t n);
/* Adds the counts of a unit's table and of all threads' copies of it to the snapshot.  */
void pathrt_snapshot_all_tables(struct pathrt_snapshot *snapshot, pathrt_unit unit, uint64_t index);

/* Forgets all counts.  `alone`: nobody is counting; it then needs no memory and no lock, for the child of a
 * fork.  */
void pathrt_discard_counts(bool alone);

/* Sets the marks of all counters (libpathrt/snapshot/written.h).  False without memory.  */
bool pathrt_mark_counts(void);

/* Unmaps all memory of the counts, for an object that is about to be unmapped itself.  */
void pathrt_release_counts(void);

/* Appends the keys that have slots in the inline caches of tables, for pathrt_restore_caches: of the tables in the
 * section, and, unless `tls_counter_offset` is 0, of their copies at that distance.  */
void pathrt_save_caches(struct pathprof_buffer *saved, uint64_t tls_counter_offset);

/* Call pathrt_seal_forest and pathrt_abandon_forest for all forests, where continuous mode maps counts anew.  */
void pathrt_seal_forests(void);
void pathrt_abandon_forests(void);

#endif
