/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The functions of a unit, with the places of their counts.  Needs the registry entered: only one walk is under way. */
#ifndef PATHRT_WALK_H
#define PATHRT_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/storage/units.h"
#include "profile/format/image.h"

struct pathrt_walk {
  struct pathprof_index index;
  uint64_t counters; /* where the current function's begin */
  uint64_t tables;
  uint64_t next_counters; /* where the next function's begin */
  uint64_t next_tables;
};

/* Stands before the unit's first function.  */
struct pathrt_walk *pathrt_walk_open(pathrt_unit unit);
/* Steps to the next function.  False at the end and after an error.  */
bool pathrt_walk_next(struct pathrt_walk *walk, pathrt_unit unit);
/* Whether this unit has the counters and tables that the current function asks for.  If not, pathrt_walk_ok says so. */
bool pathrt_walk_fits(struct pathrt_walk *walk, pathrt_unit unit);
/* False after a message.  */
bool pathrt_walk_ok(const struct pathrt_walk *walk);

/* Where PATHPROF_ARRAY_MAX is given: lets functions of up to so many paths count in arrays.  */
void pathrt_raise_array_max(void);

#endif
