/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Adoption of orphans.  An orphan is the raw file (profile/format/raw.h) of a process that ended before it could write
 * its counts.  */
#ifndef PATHRT_ADOPT_H
#define PATHRT_ADOPT_H

#include "libpathrt/process/name.h"

/* Adds the counts in FILE's orphaned raw files to FILE, which must be locked, and removes the raw files.  If a raw file
 * cannot be read, prints a message and does not remove the raw file.  Skips orphans that this user is not permitted to
 * remove.  */
void pathrt_adopt_orphans(const struct pathrt_name *file);

#endif
