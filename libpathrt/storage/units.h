/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The units of this module: the records that instrumented code has in it (profile/format/abi.h).  */
#ifndef PATHRT_UNITS_H
#define PATHRT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/format/abi.h"
#include "profile/format/image.h"

typedef const struct pathprof_unit *pathrt_unit;

/* The unit after this one, or the first (null), in the order of memory.  Null at the end, and where a record cannot be
 * read.  */
pathrt_unit pathrt_next_unit(pathrt_unit previous);

/* Whether anything in this module is instrumented.  */
bool pathrt_has_units(void);
/* Whether the runtime keeps tables for anything in it.  */
bool pathrt_has_tables(void);

/* ---- sorted: needs the registry entered ---- */

/* Finds and sorts the units, once.  False after a message where their records cannot be read.  */
bool pathrt_find_units(void);
void pathrt_forget_units(void);
/* The units that were found, in the order of pathprof_compare_units.  */
pathrt_unit *pathrt_all_units(size_t *n);
/* A hash over the keys of all units, in their order.  */
uint64_t pathrt_units_key(void);

/* How many of these n units are alike, beginning with the first.  Units that are alike (a source compiled twice) are
 * one unit in a profile, with the sum of their counts.  */
size_t pathrt_group_size(pathrt_unit *units, size_t n);
struct pathprof_unit_notes pathrt_notes_of(pathrt_unit unit);
/* The notes that stand for all units of a group.  */
struct pathprof_unit_notes pathrt_notes_of_group(pathrt_unit *group, size_t n);

#endif
