/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reads the records of a module's translation units, which the plugin embeds in the object files
 * (profile/format/abi.h).  */
#ifndef PATHRT_UNITS_H
#define PATHRT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/format/abi.h"
#include "profile/format/image.h"

typedef const struct pathprof_unit *pathrt_unit;

/* Returns the unit that follows `previous` in memory, or the first unit if `previous` is null.  Returns null if there
 * are no more units or if a record cannot be read.  */
pathrt_unit pathrt_next_unit(pathrt_unit previous);

/* Returns true if the module contains instrumented code.  */
bool pathrt_has_units(void);
/* Returns true if any unit of the module uses tables.  */
bool pathrt_has_tables(void);

/* ---- sorted units: the caller must have entered the registry ---- */

/* Finds and sorts the units on the first call.  On failure, prints a message and returns false.  */
bool pathrt_find_units(void);
void pathrt_forget_units(void);
/* Returns the units in the order of pathprof_compare_units.  */
pathrt_unit *pathrt_all_units(size_t *n);
/* Returns a hash of all unit keys.  */
uint64_t pathrt_units_key(void);

/* Returns the size of the first group in a sorted array of `n` units.  A group consists of identical units, such as
 * those of a source file that was compiled twice.  The profile contains one unit per group, with the sums of the
 * counts.  */
size_t pathrt_group_size(pathrt_unit *units, size_t n);
struct pathprof_unit_notes pathrt_notes_of(pathrt_unit unit);
/* Returns the notes of one unit of a group.  The profile contains only these notes for the whole group.  */
struct pathprof_unit_notes pathrt_notes_of_group(pathrt_unit *group, size_t n);

#endif
