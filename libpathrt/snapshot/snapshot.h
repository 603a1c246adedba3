/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Takes and rolls back snapshots of the counts in counter arrays, tables and forests.  */
#ifndef PATHRT_SNAPSHOT_H
#define PATHRT_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/memory/pages.h"
#include "profile/format/abi.h"
#include "profile/format/bytes.h"
#include "profile/format/forest.h"

/* Specifies what a snapshot collects (libpathrt/snapshot/written.h).  Only PATHRT_COUNTED changes the counters.  */
enum pathrt_wanted {
  PATHRT_COUNTED,
  PATHRT_SET_MARKS,   /* sets marks; collects no counts */
  PATHRT_SINCE_MARKS, /* counts since the marks */
  PATHRT_PROVISIONAL  /* provisional counts */
};

/* A snapshot and its options.  */
struct pathrt_snapshot {
  struct pathprof_buffer counts; /* entries of type struct pathprof_count, for the current function */
  struct pathprof_buffer cycles; /* likewise, used while of_cycles is set */
  bool of_cycles;
  struct pathprof_buffer journal; /* the amount collected from each counter, for pathrt_roll_back */
  bool discard;                   /* set the counters to zero and collect no counts */
  bool reads_only; /* threads may be counting, so counters are not set to zero (libpathrt/snapshot/written.h) */
  bool in_file;    /* continuous mode: counters keep their values until pathrt_deduct is called */
  enum pathrt_wanted wanted;
  bool sparse;                /* skip untouched pages of counters and table heads */
  struct pathrt_pages *pages; /* pages that the kernel reports as touched; null if all pages are read */
};

/* Adds the counter of path `id` to the snapshot.  */
void pathrt_snapshot_counter(struct pathrt_snapshot *snapshot, uint64_t id, uint64_t *counter);
/* Adds an array of counters to the snapshot.  If memory is exhausted, sets `journal.failed` or `counts.failed`;
 * counters that could not be added keep their values.  */
void pathrt_snapshot_counters(struct pathrt_snapshot *snapshot, uint64_t *counters, uint64_t n);
/* Adds a table to the snapshot.  If the table head contains a forest, the function can only reset or mark the forest's
 * counters; pathrt_snapshot_forest collects their counts.  */
void pathrt_snapshot_table(struct pathrt_snapshot *snapshot, struct pathprof_table *table);
/* Undoes a snapshot: adds the amounts in the journal back to their counters.  */
void pathrt_roll_back(const struct pathrt_snapshot *snapshot);
/* Subtracts the amounts in the journal from their counters.  Used in continuous mode, in which the counters are in a
 * file.  */
void pathrt_deduct(const struct pathrt_snapshot *snapshot);
void pathrt_snapshot_free(struct pathrt_snapshot *snapshot);

/* Adds the counts of a forest to `sum`.  Returns false on failure; the caller must then roll back the snapshot.  Prints
 * a message about any failure other than exhausted memory.  */
bool pathrt_snapshot_forest(struct pathrt_snapshot *snapshot, struct pathprof_forest *forest, uint64_t num_paths,
                            uint64_t k, struct pathprof_forest_sum *sum);

#endif
