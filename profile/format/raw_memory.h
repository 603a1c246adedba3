/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Opens a raw file, and finds the data that was at a given address in the memory of the process.  Every length is
 * checked, and no counts are returned twice.
 *
 * This header is internal to profile/format.  */
#ifndef PATHPROF_PROFILE_FORMAT_RAW_MEMORY_H
#define PATHPROF_PROFILE_FORMAT_RAW_MEMORY_H

#include "profile/format/image.h"
#include "profile/format/raw.h"

#pragma GCC visibility push(hidden)

struct pathprof_raw_memory {
  const unsigned char *data;
  size_t size;
  struct pathprof_raw_header header;
  struct pathprof_image image; /* image of the units, without counts */
  struct pathprof_error *error;
  uint64_t budget; /* number of bytes of counts that may still be read */
};

/* Records an error, unless an earlier error has been recorded.  Always returns false, so callers can return the
 * result.  */
bool pathprof_raw_fail(struct pathprof_raw_memory *memory, const char *reason, uint64_t offset);

/* Opens a raw file.  Returns false and sets `*error` if this version cannot read the data.  */
bool pathprof_raw_open(struct pathprof_raw_memory *memory, const unsigned char *data, size_t size,
                       struct pathprof_error *error);

/* Returns a pointer to the data that was at `address`.  If the file does not contain the data, records an error and
 * returns null.  If `counts` is true, subtracts `size` from the number of bytes of counts that may still be read.  */
const unsigned char *pathprof_raw_at(struct pathprof_raw_memory *memory, uint64_t address, uint64_t size, bool counts);

/* Returns true if the file contains the byte that was at this address.  Memory that did not fit in the file is
 * lost.  */
bool pathprof_raw_has(const struct pathprof_raw_memory *memory, uint64_t address);

#pragma GCC visibility pop

#endif
