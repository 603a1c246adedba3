/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Name and run time of the active test.  Except at program start, the caller must be inside the registry
 * (pathrt_enter).  */
#ifndef PATHRT_TEST_H
#define PATHRT_TEST_H

#include <stdbool.h>

#include "libpathrt/process/registry.h"

/* Returns true if `name` is a valid test name; otherwise prints a message that begins with `source`.  Null and empty
 * names, which mean no test, are valid.  */
bool pathrt_is_test_name(const char *name, const char *source);
/* Makes `name` the active test and starts a run of it.  If `goes_on` is true, continues an earlier run instead.  A null
 * or empty name means that no test is active.  */
void pathrt_set_test(const char *name, bool goes_on);
/* Reads PATHPROF_TEST.  */
void pathrt_read_test(void);
/* Starts a new run of the active test in the child of a fork.  */
void pathrt_test_after_fork(void);

/* Returns the run and the times of the active test that have not been written yet.  `is_told` is true if data from the
 * current run have already been written.  */
struct pathrt_test_part pathrt_test_part(bool is_told);
/* Records that `part` has been written, so that the next part does not include the same times again.  */
void pathrt_test_told(const struct pathrt_test_part *part);

#endif
