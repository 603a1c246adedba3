/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The test that is under way: its name and its time.  All need the registry entered, or the process's start.  */
#ifndef PATHRT_TEST_H
#define PATHRT_TEST_H

#include <stdbool.h>

#include "libpathrt/process/registry.h"

/* Whether a name can be that of a test; if not, a message that begins with `source` says why.  Null and empty names,
 * which stand for no test, can.  */
bool pathrt_is_test_name(const char *name, const char *source);
/* A run of this test begins, or goes on; null or empty: none is under way.  */
void pathrt_set_test(const char *name, bool goes_on);
/* Reads PATHPROF_TEST.  */
void pathrt_read_test(void);
/* The child of a fork runs the same test, which is another run.  */
void pathrt_test_after_fork(void);

/* What is to be told of the test now.  */
struct pathrt_test_part pathrt_test_part(bool is_told);
/* It is told: time counts from then on.  */
void pathrt_test_told(const struct pathrt_test_part *part);

#endif
