/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Creates the part of a raw file (profile/format/raw.h) that describes the positions of a module's counters.  */
#ifndef PATHRT_DESCRIBE_H
#define PATHRT_DESCRIBE_H

#include <stdbool.h>

#include "libpathrt/process/build_id.h"
#include "profile/format/bytes.h"

/* Returns true if the counter section contains all of the module's counters and table heads.  */
bool pathrt_counters_in_section(void);
/* Serializes the constant part of a raw file (profile/format/raw.h).  Returns false on failure.  Prints a message about
 * any failure other than exhausted memory.  */
bool pathrt_describe(struct pathprof_buffer *file, const struct pathrt_identity *identity);

#endif
