// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef TESTS_H
#define TESTS_H

/* Runs all tests and returns the number of failures.  */
int run_tests(void);

#endif
