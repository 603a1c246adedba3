/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Writing the counts of all modules of a process.  */
#ifndef PATHRT_WRITE_H
#define PATHRT_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/process/name.h"

struct pathrt_entry;
struct pathrt_module;

/* Builds the name of the file to which the module is written.  Returns false after printing a message.  */
bool pathrt_name_file(struct pathrt_name *file, const struct pathrt_module *module);
/* Returns true if the file whose name has that hash includes this run.  */
bool pathrt_is_counted(uint64_t hash);
/* Returns true if that file, or the counts kept for it, include the run of the active test.  */
bool pathrt_includes_test(uint64_t hash);

/* Adds the counts of all modules, or of the module `only`, to their files and sets them to zero.  Returns true if there
 * is nothing to do.  Returns false after printing a message; the counts are then kept.  */
bool pathrt_write(struct pathrt_module *only);

/* Starts the test `name`, or continues it if `goes_on`; a null or empty name means no test.  The counts so far are kept
 * for the previous test, or written in continuous mode.  Returns true if there is nothing to do.  Returns false after
 * printing a message; no test is then active.  */
bool pathrt_change_test(const char *name, bool goes_on);

/* Leaves the registry (libpathrt/process/entry.h) and writes a dump that a signal requested meanwhile.  */
void pathrt_leave(const struct pathrt_entry *entry);

#endif
