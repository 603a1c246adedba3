/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Blocks of memory for counts in the raw file, from areas of it that are added as they are needed.  */
#ifndef PATHRT_BLOCKS_H
#define PATHRT_BLOCKS_H

#include "profile/format/raw.h"

/* From now on memory for counts comes from the file whose header is mapped at this address; null: it no longer comes
 * from a file.  */
void pathrt_raw_use(struct pathprof_raw_header *header);

/* Notes in the file that at this address there is a thread's copy of the section of counters.  */
void pathrt_raw_note_copy(void *data);

#endif
