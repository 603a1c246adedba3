/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Builds a profile image from a module's counts.  The caller must have entered the registry
 * (libpathrt/process/entry.h).  */
#ifndef PATHRT_COLLECT_H
#define PATHRT_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/snapshot/snapshot.h"
#include "libpathrt/process/registry.h"
#include "profile/format/bytes.h"

struct pathrt_collection {
  struct pathrt_snapshot snapshot;
  struct pathprof_buffer image; /* complete profile file */
  uint64_t num_units;
  uint64_t num_paths;                 /* number of executed paths in the image */
  uint64_t cost_alone, cost_in_place; /* cost of measuring the cycles of one path (cycles.h) */
};

/* Collects all counts.  `alone` is true if no other thread can be counting paths.  Returns false on failure; the caller
 * must then roll back the snapshot.  Prints a message about any failure other than exhausted memory.  */
bool pathrt_collect(struct pathrt_collection *collection, const struct pathrt_run *run, bool alone);
/* Builds a profile image from the increments since the marks were set, without changing the counters.  Returns false on
 * failure.  */
bool pathrt_collect_since_marks(struct pathrt_collection *collection, const struct pathrt_run *run);
/* Builds a profile image from the provisional counts, without changing the counters.  Returns false on failure.  */
bool pathrt_collect_provisional(struct pathrt_collection *collection, const struct pathrt_run *run);
void pathrt_collection_free(struct pathrt_collection *collection);

/* Serializes the section that describes the program, the run and the module.  */
void pathrt_put_program(struct pathprof_buffer *out, const struct pathrt_run *run);

#endif
