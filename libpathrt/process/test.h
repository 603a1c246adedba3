/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Name and run time of the active test.  Callers must have entered the registry, except at program start.  */
#ifndef PATHRT_TEST_H
#define PATHRT_TEST_H

#include <stdbool.h>

#include "libpathrt/process/registry.h"

/* Returns true if `name` is a valid test name; otherwise prints a message that begins with `source`.  Null and empty
 * names, which mean no test, are valid.  */
bool pathrt_is_test_name(const char *name, const char *source);
/* Starts a run of the test or, if `goes_on` is true, continues it.  A null or empty name means that no test is
 * active.  */
void pathrt_set_test(const char *name, bool goes_on);
/* Reads PATHPROF_TEST.  */
void pathrt_read_test(void);
/* Starts a new run of the active test in the child of a fork.  */
void pathrt_test_after_fork(void);

/* Returns the data to write for the active test.  `is_told` means that data of the current run have been written
 * before.  */
struct pathrt_test_part pathrt_test_part(bool is_told);
/* Notes that `part` has been written, so that the next part does not include the same times again.  */
void pathrt_test_told(const struct pathrt_test_part *part);

#endif
