/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The raw file of continuous mode: memory of a process that counts, mapped from the file, so that
 * it is complete whenever the process ends.  doc/format.md describes the bytes.
 *
 * The file says at which address each of its areas was mapped; what the runtime finds by following
 * its pointers a reader finds in the same way.  Libc-only C, compiled into the runtime and into the
 * tools.  */
#ifndef PATHPROF_PROFILE_FORMAT_RAW_H
#define PATHPROF_PROFILE_FORMAT_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/format/abi.h"
#include "profile/format/bytes.h"
#include "profile/format/owner.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PATHPROF_RAW_MAGIC "\x89PATHRW\n"
#define PATHPROF_RAW_MAJOR 8
#define PATHPROF_RAW_MINOR 0
#define PATHPROF_RAW_BYTE_ORDER 0x0102030405060708u

enum {
  PATHPROF_RAW_MAX_AREAS = 64,
  PATHPROF_RAW_NAME_SIZE = 256,
  PATHPROF_RAW_TEST_SIZE = 1024,
  PATHPROF_RAW_HEADER_SIZE = 4096
};

/* A part of the file, and where it was in memory.  */
struct pathprof_raw_area {
  uint64_t address;
  uint64_t size;
  uint64_t offset;
};

/* Where a unit's counters and table heads lie in the section of counters.  Heads point at inline caches in it.  */
struct pathprof_raw_placement {
  uint64_t unit; /* its place in the image; units that are alike share one */
  uint64_t counters;
  uint64_t num_counters;
  uint64_t tables;
  uint64_t num_tables;
};

/* A thread's copy of the section.  */
struct pathprof_raw_copy {
  uint64_t next; /* address of another one, 0: none */
  uint64_t address;
};

/* At the start of the file.  All but the magic is in the byte order of the machine.  */
struct pathprof_raw_header {
  unsigned char magic[8]; /* written last */
  uint16_t major;
  uint16_t minor;
  uint32_t crc; /* CRC-32C of byte_order to num_placements, then of the placements */
  uint64_t byte_order;
  uint64_t image_offset; /* a whole profile, without counts */
  uint64_t image_size;
  uint64_t placements_offset; /* sorted by unit */
  uint64_t num_placements;

  /* What follows changes while the process runs.  */
  uint64_t runs; /* as in the program section, of what is not in the profile yet */
  uint64_t forks;
  uint64_t resets;
  uint64_t sudden_ends; /* 1 in one of the process's files */
  /* Set while a file that holds these counts is renamed to become the profile.  The file's inode;
   * if it has no longer this name, the counts are in the profile.  */
  uint64_t pending;
  char pending_name[PATHPROF_RAW_NAME_SIZE];
  uint64_t copies; /* address of the newest struct pathprof_raw_copy, 0: none */
  uint64_t num_areas;
  struct pathprof_raw_area areas[PATHPROF_RAW_MAX_AREAS]; /* first: the section of counters */
  uint64_t cost;     /* of measuring the cycles of one path, in 256ths of a cycle */
  uint64_t threaded; /* the process has, or had, more than one thread, as far as the runtime saw; 0 or 1 */
  /* The test that is under way.  The size is 0 while the name changes.  */
  uint64_t test_runs; /* 1 if this file tells of the test's run, and the profile does not know of it yet */
  uint64_t test_size; /* bytes of its name, 0: no test */
  char test[PATHPROF_RAW_TEST_SIZE];
  struct pathprof_owner owner; /* the process; does not change once the magic is written */
  /* The image of these counts that another process adds to a profile because it takes the owner for dead, appended to
   * the file before `pending` is set.  An owner that is alive after all subtracts it from its counts.  */
  uint64_t adopted_size; /* 0: none */
  uint64_t adopted_offset;
};

/* Hash slots, as they lie in memory (libpathrt/storage/table.c).  Blocks form a list; each is at most half as large as
 * the one before.  A block that found no room in the file is not in that list but in one of its own, which begins at
 * `overflow_blocks` of the newest block that is in the file: so readers of the file reach every block that is in it. */
struct pathprof_block {
  struct pathprof_block *older;
  uint64_t mask; /* number of slots - 1 */
  uint64_t used;
  uint64_t shift;                         /* 64 - log2(number of slots) */
  struct pathprof_block *overflow_blocks; /* the newest block in memory of its own, null: none */
  uint64_t unused;
  struct pathprof_slot slots[];
};

/* Puts what does not change into an empty buffer: header (without the magic), image and placements.
 */
void pathprof_raw_begin(struct pathprof_buffer *file, const struct pathprof_buffer *image,
                        const struct pathprof_raw_placement *placements, uint64_t num_placements);

/* The checksum that belongs into the header: of what does not change, and of the placements.  */
__attribute__((visibility("hidden"))) uint32_t pathprof_raw_checksum(const struct pathprof_raw_header *header,
                                                                     const void *placements);

/* Whether the data begins like a raw file.  */
bool pathprof_is_raw(const unsigned char *data, size_t size);

/* Whether a file of this name is a raw file of the profile `base` (both without folders):
 * BASE.PID.raw or BASE.PID-N.raw.  */
bool pathprof_is_raw_name(const char *name, const char *base);

/* Determines whether a process counts in the raw file.  Takes the file's lock if the result is not PATHPROF_ALIVE; the
 * lock lasts as long as the descriptor, which must be open for reading only.  */
enum pathprof_life pathprof_raw_life(int fd);

/* Whether the counts are in the profile already.  `folder`: a descriptor of the file's folder.  */
bool pathprof_raw_is_settled(const unsigned char *data, size_t size, int folder);

#ifdef __cplusplus
}
#endif
#endif
