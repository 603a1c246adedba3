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

/* Makes the snapshot ready.  `alone`: nobody is counting.  */
void pathrt_begin_snapshot(struct pathrt_snapshot *snapshot, bool alone);
/* Nothing more is journal; what was taken stays in the snapshot.  */
void pathrt_end_snapshot(struct pathrt_snapshot *snapshot);
/* Takes from a unit's counters, and from all copies of them.  */
void pathrt_snapshot_all_counters(struct pathrt_snapshot *snapshot, uint64_t *counters, uint64_t n);
/* Takes from a unit's table, and from all copies of it.  */
void pathrt_snapshot_all_tables(struct pathrt_snapshot *snapshot, pathrt_unit unit, uint64_t index);

/* Forgets all counts.  `alone`: nobody is counting; it then needs no memory and no lock, for the child of a
 * fork.  */
void pathrt_discard_counts(bool alone);

/* Sets the marks of all counters (libpathrt/snapshot/written.h).  False without memory.  */
bool pathrt_mark_counts(void);

/* Unmaps all memory of the counts, for an object that is about to be unmapped itself.  */
void pathrt_release_counts(void);

/* Appends who has slots in the inline caches of tables (pathrt_restore_caches), of those in the section and in the
 * copy that lies `tls_counter_offset` after it, if any.  */
void pathrt_save_caches(struct pathprof_buffer *saved, uint64_t tls_counter_offset);

/* Call pathrt_seal_forest and pathrt_abandon_forest for all forests, where continuous mode maps counts anew.  */
void pathrt_seal_forests(void);
void pathrt_abandon_forests(void);

#endif
