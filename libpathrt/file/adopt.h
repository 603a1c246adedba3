/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Adding orphans: raw files (profile/format/raw.h) of processes that ended before they could write their counts.  */
#ifndef PATHRT_ADOPT_H
#define PATHRT_ADOPT_H

#include "libpathrt/process/name.h"

/* Adds the counts of FILE's orphaned raw files to the locked FILE and removes them.  A file that cannot be read is left
 * in place after a message.  Orphans of another user are left to that user.  */
void pathrt_adopt_orphans(const struct pathrt_name *file);

#endif
