/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What a raw file (profile/format/raw.h) says of the places of this module's counters.  */
#ifndef PATHRT_DESCRIBE_H
#define PATHRT_DESCRIBE_H

#include <stdbool.h>

#include "libpathrt/process/build_id.h"
#include "profile/format/bytes.h"

/* Whether all counters and table heads lie in the section of counters.  */
bool pathrt_counters_in_section(void);
/* Puts the part of a raw file that does not change (profile/format/raw.h).  False without memory, or after a
 * message.  */
bool pathrt_describe(struct pathprof_buffer *file, const struct pathrt_identity *identity);

#endif
