/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Manages the name and the run time of the active test.  Except at program start, callers must have entered the
 * registry (libpathrt/process/entry.h).  */
#ifndef PATHRT_TEST_H
#define PATHRT_TEST_H

#include <stdbool.h>

#include "libpathrt/process/registry.h"

/* Returns true if `name` is a valid test name; otherwise prints a message that begins with `source`.  Null and empty
 * names, which mean no test, are valid.  */
bool pathrt_is_test_name(const char *name, const char *source);
/* Makes `name` the active test and starts a run of this test or, if `goes_on` is true, continues an earlier run.  If
 * the name is null or empty, no test is active from now on.  */
void pathrt_set_test(const char *name, bool goes_on);
/* Reads PATHPROF_TEST.  */
void pathrt_read_test(void);
/* Starts a new run of the active test in the child of a fork.  */
void pathrt_test_after_fork(void);

/* Returns the run count and the times of the active test, without the part that has already been written.  `is_told` is
 * true if the current run has already been counted.  */
struct pathrt_test_part pathrt_test_part(bool is_told);
/* Records that `part` has been written, so that the next part does not include the same times again.  */
void pathrt_test_told(const struct pathrt_test_part *part);

#endif
