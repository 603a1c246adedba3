/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Defines the raw file of continuous mode.  The counters of the process are in memory that is mapped from this file, so
 * the counts survive no matter how the process ends.  The layout is specified in doc/format.md.
 *
 * The file records the address at which each of its areas was mapped, so a reader can follow the pointers of the
 * process.  The runtime and the tools share this code, so it is written in C and depends only on libc.  */
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

/* An area of the file, and its address in the memory of the process.  */
struct pathprof_raw_area {
  uint64_t address;
  uint64_t size;
  uint64_t offset;
};

/* The offsets of a unit's counters and table heads in the counters section, which also contains the inline caches.  */
struct pathprof_raw_placement {
  uint64_t unit; /* index of the unit in the image; identical units share an entry */
  uint64_t counters;
  uint64_t num_counters;
  uint64_t tables;
  uint64_t num_tables;
};

/* A thread's copy of the counters section.  */
struct pathprof_raw_copy {
  uint64_t next; /* address of another copy, or 0 */
  uint64_t address;
};

/* The header of the file.  All fields but the magic are in the byte order of the machine.  */
struct pathprof_raw_header {
  unsigned char magic[8]; /* PATHPROF_RAW_MAGIC, written last */
  uint16_t major;
  uint16_t minor;
  uint32_t crc; /* CRC-32C of the fields byte_order through num_placements and of the placements */
  uint64_t byte_order;
  uint64_t image_offset; /* offset of the image, which is a complete profile without counts */
  uint64_t image_size;
  uint64_t placements_offset; /* offset of the placements, which are sorted by unit */
  uint64_t num_placements;

  /* The following fields can change while the process runs.  */
  uint64_t runs; /* number of runs (see the program section), not including runs that are already in the profile */
  uint64_t forks;
  uint64_t resets;
  uint64_t sudden_ends; /* 1 in exactly one raw file of the process and 0 in its other raw files, so that the process is
                           counted once */
  /* Inode of a new profile that contains these counts, set before the new profile replaces the old profile.  Once the
   * file `pending_name` no longer exists or has a different inode, the counts are in the profile.  */
  uint64_t pending;
  char pending_name[PATHPROF_RAW_NAME_SIZE];
  uint64_t copies; /* address of the newest struct pathprof_raw_copy, or 0 */
  uint64_t num_areas;
  struct pathprof_raw_area areas[PATHPROF_RAW_MAX_AREAS]; /* the first area is the counters section */
  uint64_t cost;     /* cost of measuring the cycles of one path, in 256ths of a cycle */
  uint64_t threaded; /* 1 if the runtime has seen more than one thread in the process, otherwise 0 */
  /* The current test.  While the name is being changed, test_size is 0.  */
  uint64_t test_runs; /* 1 if the file contains a run of the test that is not yet in the profile, otherwise 0 */
  uint64_t test_size; /* length of the test's name in bytes, or 0 if there is no test */
  char test[PATHPROF_RAW_TEST_SIZE];
  struct pathprof_owner owner; /* identity of the process; constant once the magic is written */
  /* A process that considers the owner dead adds the owner's counts to a profile.  Before it sets `pending`, it appends
   * an image of these counts to the file.  An owner that is still alive subtracts the image from its counts.  */
  uint64_t adopted_size; /* size of the image, or 0 if there is no image */
  uint64_t adopted_offset;
};

/* A block of hash slots, with the same layout as in memory (libpathrt/storage/table.c).  Blocks form a list, and each
 * block is at most half as large as the preceding block.  If the file cannot grow, the runtime adds new blocks to a
 * separate list, which starts at `overflow_blocks` of the newest block in the file.  A reader of the file can therefore
 * reach every block in the file.  */
struct pathprof_block {
  PATHPROF_WIDE(struct pathprof_block *older);
  uint64_t mask; /* number of slots of the block − 1 */
  uint64_t used;
  uint64_t shift;                                        /* 64 − log2(number of slots) */
  PATHPROF_WIDE(struct pathprof_block *overflow_blocks); /* newest block outside the file, or null */
  uint64_t unused;
  struct pathprof_slot slots[];
};

/* Writes the constant part of the file into an empty buffer: the header without the magic, the image and the
 * placements.  */
void pathprof_raw_begin(struct pathprof_buffer *file, const struct pathprof_buffer *image,
                        const struct pathprof_raw_placement *placements, uint64_t num_placements);

/* Returns the checksum of the constant part of the header and of the placements.  */
__attribute__((visibility("hidden"))) uint32_t pathprof_raw_checksum(const struct pathprof_raw_header *header,
                                                                     const void *placements);

/* Returns true if the data begins with the magic of a raw file.  */
bool pathprof_is_raw(const unsigned char *data, size_t size);

/* Returns true if `name` has the form BASE.PID.raw or BASE.PID-N.raw.  BASE is equal to `base`, the name of a profile.
 * Neither name contains a directory.  */
bool pathprof_is_raw_name(const char *name, const char *base);

/* Reads the identity of the file's owner.  Returns false and leaves `*owner` unchanged if the file does not have a
 * complete header of this version.  */
bool pathprof_raw_owner(int fd, struct pathprof_owner *owner);

/* Determines whether the process that owns the raw file can still update it.  The descriptor must be read-only.  Unless
 * the result is PATHPROF_ALIVE, the caller holds the file's lock until it closes the descriptor.  */
enum pathprof_life pathprof_raw_life(int fd);

/* Returns true if the counts are already in the profile.  `folder` is a descriptor of the directory that contains the
 * file.  */
bool pathprof_raw_is_settled(const unsigned char *data, size_t size, int folder);

#ifdef __cplusplus
}
#endif
#endif
