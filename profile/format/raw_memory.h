/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What a raw file says of the memory that its process counted in: opening it, and finding the bytes that were at an
 * address.  Every length is checked, and no byte of counts is handed out twice.
 *
 * Of no use outside of this folder.  */
#ifndef PATHPROF_PROFILE_FORMAT_RAW_MEMORY_H
#define PATHPROF_PROFILE_FORMAT_RAW_MEMORY_H

#include "profile/format/image.h"
#include "profile/format/raw.h"

#pragma GCC visibility push(hidden)

struct pathprof_raw_memory {
  const unsigned char *data;
  size_t size;
  struct pathprof_raw_header header;
  struct pathprof_image image; /* the units, without counts */
  struct pathprof_error *error;
  uint64_t budget; /* bytes of counts that may still be read */
};

/* Notes the first thing that is wrong.  Always false, for callers that return it.  */
bool pathprof_raw_fail(struct pathprof_raw_memory *memory, const char *reason, uint64_t offset);

/* Opens a raw file.  False with *error filled where the data is none that this version can read.  */
bool pathprof_raw_open(struct pathprof_raw_memory *memory, const unsigned char *data, size_t size,
                       struct pathprof_error *error);

/* The bytes that were at an address; null, after an error, where the file does not have them.  Bytes that hold counts
 * are paid for out of the budget.  */
const unsigned char *pathprof_raw_at(struct pathprof_raw_memory *memory, uint64_t address, uint64_t size, bool counts);

/* Whether the byte at this address is in the file: memory that was not, because the file could not grow, is lost.  */
bool pathprof_raw_has(const struct pathprof_raw_memory *memory, uint64_t address);

#pragma GCC visibility pop

#endif
