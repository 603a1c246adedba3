/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Taking counts out of counters, tables and forests.  */
#ifndef PATHRT_SNAPSHOT_H
#define PATHRT_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/memory/pages.h"
#include "profile/format/abi.h"
#include "profile/format/bytes.h"
#include "profile/format/forest.h"

/* What is taken (libpathrt/snapshot/written.h).  Counters keep what they have, except with PATHRT_COUNTED.  */
enum pathrt_wanted {
  PATHRT_COUNTED,
  PATHRT_SET_MARKS,   /* nothing: marks are set */
  PATHRT_SINCE_MARKS, /* what was counted since */
  PATHRT_PROVISIONAL  /* what they have, or had, provisionally */
};

/* Where counts are taken to, and how.  */
struct pathrt_snapshot {
  struct pathprof_buffer counts; /* struct pathprof_count: what was taken since `counts.size` was 0 */
  struct pathprof_buffer cycles; /* what was taken while of_cycles was set */
  bool of_cycles;
  struct pathprof_buffer journal; /* what was taken from where, for pathrt_roll_back */
  bool discard;                   /* what is taken is forgotten */
  bool reads_only;                /* somebody may be counting: libpathrt/snapshot/written.h; else counters get zero */
  bool in_file;                   /* continuous mode: counters keep their values until pathrt_deduct */
  enum pathrt_wanted wanted;
  bool sparse;                /* ask the kernel which pages of counters and heads were ever touched */
  struct pathrt_pages *pages; /* what it said; null: do not ask */
};

void pathrt_snapshot_counter(struct pathrt_snapshot *snapshot, uint64_t id, uint64_t *counter);
/* Without memory for it (snapshot->journal.failed or counts.failed) a counter keeps its value.  */
void pathrt_snapshot_counters(struct pathrt_snapshot *snapshot, uint64_t *counters, uint64_t n);
/* Of a head that holds a forest the counts can only be discarded so; else pathrt_snapshot_forest takes them.  */
void pathrt_snapshot_table(struct pathrt_snapshot *snapshot, struct pathprof_table *table);
/* Gives all that was taken back to the counters.  */
void pathrt_roll_back(const struct pathrt_snapshot *snapshot);
/* Subtracts what was taken from the counters, which are in a file.  */
void pathrt_deduct(const struct pathrt_snapshot *snapshot);
void pathrt_snapshot_free(struct pathrt_snapshot *snapshot);

/* Takes the counts of a forest and adds them to a sum.  False where there is no memory for that, in which case counts
 * keep their values, or after a message.  */
bool pathrt_snapshot_forest(struct pathrt_snapshot *snapshot, struct pathprof_forest *forest, uint64_t num_paths,
                            uint64_t k, struct pathprof_forest_sum *sum);

#endif
