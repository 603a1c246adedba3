/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The units of this module, and the profile image made of their counts.
 *
 * All but pathrt_has_units and pathrt_discard_counts need the registry entered (registry.h).  */
#ifndef PATHRT_COLLECT_H
#define PATHRT_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/registry.h"
#include "libpathrt/table.h"
#include "profile/bytes.h"

/* Whether anything in this module is instrumented.  */
bool pathrt_has_units(void);

/* Finds and sorts the units, once.  False after a message where their records cannot be read.  */
bool pathrt_find_units(void);
/* A hash over the keys of all units, in their order.  */
uint64_t pathrt_units_key(void);

/* Whether any function measures the cycles spent on its paths.  */
bool pathrt_measures_cycles(void);

/* Lets functions of up to `limit` paths count in arrays.  */
void pathrt_raise_array_max(uint64_t limit);

/* Whether all counters and table heads lie in the section of counters.  */
bool pathrt_counters_in_section(void);
/* Puts the part of a raw file that does not change (profile/raw.h).  False without memory, or after a
 * message.  */
bool pathrt_describe(struct pathprof_buffer *file, const struct pathrt_identity *identity);

/* Appends who has slots in the fronts of tables (pathrt_restore_fronts), of those in the section and in the
 * copy that lies `to_own` after it, if any.  */
void pathrt_save_fronts(struct pathprof_buffer *saved, uint64_t to_own);

/* In continuous mode, where counts are mapped anew: pathrt_seal_forest and pathrt_abandon_forest of all.  */
void pathrt_seal_forests(void);
void pathrt_abandon_forests(void);

/* Makes a fresh copy of the counters' section ready for counting.  */
void pathrt_prepare_copy(uint64_t to_own);

/* Forgets all counts.  `alone`: nobody is counting; it then needs no memory and no lock, for the child of a
 * fork.  */
void pathrt_discard_counts(bool alone);

/* Unmaps all memory of the counts, for an object that is about to be unmapped itself.  */
void pathrt_release_counts(void);

struct pathrt_collection {
  struct pathrt_taker taker;
  struct pathprof_buffer image; /* a whole profile file */
  uint64_t num_paths;           /* executed ones in it */
};

/* Takes all counts.  `alone`: nobody is counting.  False where that failed (after a message, unless memory was short);
 * the caller then gives back what was taken.  */
bool pathrt_collect(struct pathrt_collection *collection, const struct pathrt_run *run, bool alone);
void pathrt_collection_free(struct pathrt_collection *collection);

#endif
