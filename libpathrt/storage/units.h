/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The translation units of a module: records that the plugin embeds in it (profile/format/abi.h).  */
#ifndef PATHRT_UNITS_H
#define PATHRT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/format/abi.h"
#include "profile/format/image.h"

typedef const struct pathprof_unit *pathrt_unit;

/* Returns the unit after `previous`, or the first unit if that is null, in memory order.  Returns null at the end, and
 * if a record cannot be read.  */
pathrt_unit pathrt_next_unit(pathrt_unit previous);

/* Returns true if the module contains instrumented code.  */
bool pathrt_has_units(void);
/* Returns true if any unit of the module uses tables.  */
bool pathrt_has_tables(void);

/* ---- sorted units: the caller must have entered the registry ---- */

/* Finds and sorts the units, once.  Returns false after printing a message if a record cannot be read.  */
bool pathrt_find_units(void);
void pathrt_forget_units(void);
/* Returns the units in the order of pathprof_compare_units.  */
pathrt_unit *pathrt_all_units(size_t *n);
/* Returns a hash of the keys of all units, in their order.  */
uint64_t pathrt_units_key(void);

/* Returns the number of equal units at the start of an array of `n` units.  Equal units (a source file compiled twice)
 * form one unit in a profile, with the sum of their counts.  */
size_t pathrt_group_size(pathrt_unit *units, size_t n);
struct pathprof_unit_notes pathrt_notes_of(pathrt_unit unit);
/* Returns the notes that represent all units of a group.  */
struct pathprof_unit_notes pathrt_notes_of_group(pathrt_unit *group, size_t n);

#endif
