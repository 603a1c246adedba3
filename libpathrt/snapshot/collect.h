/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Making a profile image of this module's counts.  Needs the registry entered (libpathrt/process/entry.h).  */
#ifndef PATHRT_COLLECT_H
#define PATHRT_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/snapshot/snapshot.h"
#include "libpathrt/process/registry.h"
#include "profile/format/bytes.h"

struct pathrt_collection {
  struct pathrt_snapshot snapshot;
  struct pathprof_buffer image; /* a whole profile file */
  uint64_t num_units;
  uint64_t num_paths;                 /* executed ones in it */
  uint64_t cost_alone, cost_in_place; /* of measuring the cycles of one path (cycles.h) */
};

/* Takes all counts.  `alone`: nobody is counting.  False where that failed (after a message, unless memory was short);
 * the caller then gives back what was taken.  */
bool pathrt_collect(struct pathrt_collection *collection, const struct pathrt_run *run, bool alone);
/* Makes an image of what was counted since the marks were set, and takes nothing.  False likewise.  */
bool pathrt_collect_since_marks(struct pathrt_collection *collection, const struct pathrt_run *run);
/* Makes an image of what the counters have, or had, provisionally, and takes nothing.  False likewise.  */
bool pathrt_collect_provisional(struct pathrt_collection *collection, const struct pathrt_run *run);
void pathrt_collection_free(struct pathrt_collection *collection);

/* Puts the section that tells of the program, the run and the module.  */
void pathrt_put_program(struct pathprof_buffer *out, const struct pathrt_run *run);

#endif
