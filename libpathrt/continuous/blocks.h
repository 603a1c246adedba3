/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Allocation of memory blocks for counts in the raw file.  Areas are added to the file on demand.  */
#ifndef PATHRT_BLOCKS_H
#define PATHRT_BLOCKS_H

#include "profile/format/raw.h"

/* Makes the runtime allocate memory for counts from the raw file whose header is mapped at `header`, or from private
 * memory if `header` is null.  */
void pathrt_raw_use(struct pathprof_raw_header *header);

/* Records in the raw file that `data` is the start of a thread's copy of the counter section.  */
void pathrt_raw_note_copy(void *data);

#endif
