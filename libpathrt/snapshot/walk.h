/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Iterates over the functions of a unit and the positions of their counts.  Only one walk can be active at a time, so
 * the caller must have entered the registry (libpathrt/process/entry.h).  */
#ifndef PATHRT_WALK_H
#define PATHRT_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/storage/units.h"
#include "profile/format/image.h"

struct pathrt_walk {
  struct pathprof_index index;
  uint64_t counters;      /* index of the current function's first counter */
  uint64_t tables;        /* index of its first table */
  uint64_t next_counters; /* index of the next function's first counter */
  uint64_t next_tables;
};

/* Starts a walk over the functions of a unit.  pathrt_walk_next moves to the first function.  */
struct pathrt_walk *pathrt_walk_open(pathrt_unit unit);
/* Moves to the next function.  Returns false if there are no more functions or if an error occurred.  */
bool pathrt_walk_next(struct pathrt_walk *walk, pathrt_unit unit);
/* Returns true if the unit contains the counters and tables that the current function needs.  Otherwise, pathrt_walk_ok
 * reports an error.  */
bool pathrt_walk_fits(struct pathrt_walk *walk, pathrt_unit unit);
/* Returns false after printing a message.  */
bool pathrt_walk_ok(const struct pathrt_walk *walk);

/* If PATHPROF_ARRAY_MAX is set, makes functions with at most that many paths store their counts in arrays instead of
 * hash tables.  */
void pathrt_raise_array_max(void);

#endif
