/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Writing the counts of a process's modules.  */
#ifndef PATHRT_WRITE_H
#define PATHRT_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/process/name.h"

struct pathrt_entry;
struct pathrt_module;

/* Finds the name of the file that the module is written to.  False after a message.  */
bool pathrt_name_file(struct pathrt_name *file, const struct pathrt_module *module);
/* Whether the file whose name has that hash knows of this run.  */
bool pathrt_is_counted(uint64_t hash);
/* Returns true if that file, or what is kept for it, includes the run of the test that is under way.  */
bool pathrt_includes_test(uint64_t hash);

/* Adds the counts of all modules, or of only one, to their file; they are zero then.  True also where
 * there is nothing to do; false after a message, and the counts are kept.  */
bool pathrt_write(struct pathrt_module *only);

/* Has another test begin, or go on (null or empty: none): puts the counts so far aside, which are those of the test
 * before, or of none. In continuous mode they are written.  True also where there is nothing to do; false, after a
 * message, if that failed: then no test is under way.  */
bool pathrt_change_test(const char *name, bool goes_on);

/* Leaves the registry (libpathrt/process/entry.h) and writes what a signal asked for meanwhile.  */
void pathrt_leave(const struct pathrt_entry *entry);

#endif
