/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Name and time of the active test.  The functions are called at program start or after entering the registry.  */
#ifndef PATHRT_TEST_H
#define PATHRT_TEST_H

#include <stdbool.h>

#include "libpathrt/process/registry.h"

/* Returns true if `name` is a valid test name; otherwise prints a message that begins with `source`.  Null and empty
 * names, which mean no test, are valid.  */
bool pathrt_is_test_name(const char *name, const char *source);
/* Starts a run of the test, or continues it if `goes_on`.  A null or empty name means that no test is active.  */
void pathrt_set_test(const char *name, bool goes_on);
/* Reads PATHPROF_TEST.  */
void pathrt_read_test(void);
/* Starts a new run of the same test in the child of a fork.  */
void pathrt_test_after_fork(void);

/* Returns the information to be written about the active test.  `is_told` means that its run was written before.  */
struct pathrt_test_part pathrt_test_part(bool is_told);
/* Notes that the information has been written; the time starts again.  */
void pathrt_test_told(const struct pathrt_test_part *part);

#endif
