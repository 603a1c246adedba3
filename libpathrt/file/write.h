/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Writes the counts of all modules in a process.  */
#ifndef PATHRT_WRITE_H
#define PATHRT_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/process/name.h"

struct pathrt_entry;
struct pathrt_module;

/* Builds the name of the file to which the module's counts are written.  On failure, prints a message and returns
 * false.  */
bool pathrt_name_file(struct pathrt_name *file, const struct pathrt_module *module);
/* Returns true if the file already includes this run.  `hash` is the hash of the file's name.  */
bool pathrt_is_counted(uint64_t hash);
/* Returns true if the run of the active test is already included in the file, or in the counts that are kept in memory
 * for the file.  Also returns true if the run continues an earlier run.  `hash` is the hash of the file's name.  */
bool pathrt_includes_test(uint64_t hash);

/* Adds the counts of `only`, or of all modules if `only` is null, to the profiles, and sets these counts to zero.
 * Returns true on success or if there is nothing to do.  On failure, prints a message, keeps the counts and returns
 * false.  */
bool pathrt_write(struct pathrt_module *only);

/* Starts the test `name`, or continues it if `goes_on` is true.  A null or empty name means that no test is active.
 * The counts so far belong to the previous test.  They are kept in memory or, in continuous mode, written to the
 * profile.  Returns true on success or if there is nothing to do.  On failure, prints a message and returns false; no
 * test is then active.  */
bool pathrt_change_test(const char *name, bool goes_on);

/* Leaves the registry (libpathrt/process/entry.h).  If a signal requested a dump while the registry was busy, writes
 * the dump.  */
void pathrt_leave(const struct pathrt_entry *entry);

#endif
