/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Defines the records and the stream of freestanding programs (target=freestanding), which have no operating system.
 *
 * The linker collects one record per unit in the section "pathprof_freestanding".  The notes of all units are in the
 * section ".pathprof_notes", which is part of the ELF file but not of the program in memory.  doc/format.md specifies
 * the stream that pathrt_write() writes.
 *
 * The freestanding runtime is compiled for the target, so this file depends only on headers that every C compiler
 * provides.  */
#ifndef PATHPROF_PROFILE_FORMAT_FREESTANDING_H
#define PATHPROF_PROFILE_FORMAT_FREESTANDING_H

#include <stdint.h>

#define PATHPROF_FREESTANDING_UNITS_SECTION "pathprof_freestanding"
#define PATHPROF_FREESTANDING_NOTES_SECTION ".pathprof_notes"
/* Added to the size of a counter in the first word of a record.  */
#define PATHPROF_FREESTANDING_VERSION 0x50460100

/* The record of a unit.  Each field has the size of a pointer.  */
struct pathprof_freestanding_unit {
  uintptr_t version;       /* PATHPROF_FREESTANDING_VERSION + size of a counter in bytes: 1, 4 or 8 */
  uintptr_t key;           /* lowest 32 bits of pathprof_unit_key of the notes */
  uintptr_t notes;         /* offset in PATHPROF_FREESTANDING_NOTES_SECTION */
  uintptr_t notes_size;    /* size of the notes in bytes */
  void *counters;          /* array of counters, or null if the unit has no counters */
  uintptr_t counters_size; /* size of the array in bytes, a multiple of 4 */
};

/* Start of the stream that pathrt_write() writes.  As in PNG files, the first byte and the line feed show whether the
 * stream was transferred as text.  */
#define PATHPROF_STREAM_MAGIC "\x89PATHFS\n"
#define PATHPROF_STREAM_MAGIC_SIZE 8
/* Start of the stream of a Linux kernel module.  The name of the module, which is padded with zeros, and the size of
 * its records as a 64-bit number follow.  packaging/linux/kernel/fs.c writes these streams.  */
#define PATHPROF_MODULE_STREAM_MAGIC "\x89PATHFM\n"
#define PATHPROF_MODULE_STREAM_NAME_SIZE 64
/* Precedes the stream of a Linux kernel whose counters have been cleared while functions were active.  */
#define PATHPROF_RESET_MAGIC "\x89PATHFR\n"
/* Parameters of the hash at the end of the stream, a 32-bit FNV-1a hash.  */
#define PATHPROF_STREAM_HASH_START UINT32_C(0x811c9dc5)
#define PATHPROF_STREAM_HASH_FACTOR UINT32_C(0x01000193)

#endif
