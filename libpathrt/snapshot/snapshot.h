/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Snapshots of the counts in counter arrays, tables and forests, which can be rolled back.  */
#ifndef PATHRT_SNAPSHOT_H
#define PATHRT_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/memory/pages.h"
#include "profile/format/abi.h"
#include "profile/format/bytes.h"
#include "profile/format/forest.h"

/* The counts that a snapshot contains (libpathrt/snapshot/written.h).  Only PATHRT_COUNTED changes the counters.  */
enum pathrt_wanted {
  PATHRT_COUNTED,
  PATHRT_SET_MARKS,   /* no counts: the counters' marks are set */
  PATHRT_SINCE_MARKS, /* the counts since the marks */
  PATHRT_PROVISIONAL  /* the provisional counts */
};

/* A snapshot, and how it is made.  */
struct pathrt_snapshot {
  struct pathprof_buffer counts; /* struct pathprof_count, of the current function */
  struct pathprof_buffer cycles; /* the same, while of_cycles is set */
  bool of_cycles;
  struct pathprof_buffer journal; /* each counter and its amount, for pathrt_roll_back */
  bool discard;                   /* counters are set to zero, and no counts are kept */
  bool reads_only; /* threads may be counting (libpathrt/snapshot/written.h); else counters are set to zero */
  bool in_file;    /* continuous mode: counters keep their values until pathrt_deduct */
  enum pathrt_wanted wanted;
  bool sparse;                /* read only those pages of counters and heads that were ever touched */
  struct pathrt_pages *pages; /* pages that the kernel reports as touched; null: read all */
};

void pathrt_snapshot_counter(struct pathrt_snapshot *snapshot, uint64_t id, uint64_t *counter);
/* If there is no memory for an entry, journal.failed or counts.failed is set and the counter keeps its value.  */
void pathrt_snapshot_counters(struct pathrt_snapshot *snapshot, uint64_t *counters, uint64_t n);
/* Of a head with a forest, this only discards the counts.  pathrt_snapshot_forest keeps them.  */
void pathrt_snapshot_table(struct pathrt_snapshot *snapshot, struct pathprof_table *table);
/* Adds the amounts in the journal to their counters again.  */
void pathrt_roll_back(const struct pathrt_snapshot *snapshot);
/* Subtracts the amounts in the journal from their counters, which are in a file.  */
void pathrt_deduct(const struct pathrt_snapshot *snapshot);
void pathrt_snapshot_free(struct pathrt_snapshot *snapshot);

/* Takes the counts of a forest and adds them to a sum.  False where there is no memory for that, in which case counts
 * keep their values, or after a message.  */
bool pathrt_snapshot_forest(struct pathrt_snapshot *snapshot, struct pathprof_forest *forest, uint64_t num_paths,
                            uint64_t k, struct pathprof_forest_sum *sum);

#endif
