/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Adding the raw files (profile/format/raw.h) of processes that ended before they could write: orphans.  */
#ifndef PATHRT_ADOPT_H
#define PATHRT_ADOPT_H

#include "libpathrt/process/name.h"

/* Adds the counts in FILE's orphaned raw files to the locked FILE and removes them.  What cannot be
 * read stays, after a message; what another user's process left stays for that user.  */
void pathrt_adopt_orphans(const struct pathrt_name *file);

#endif
