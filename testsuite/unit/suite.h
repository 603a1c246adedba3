// SPDX-License-Identifier: GPL-3.0-or-later
// Running the tests of a unit program.
#ifndef PATHPROF_TESTSUITE_SUITE_H
#define PATHPROF_TESTSUITE_SUITE_H

#include <check.h>

namespace pathprof::testing {

// What main returns.
inline int run_suite(Suite *suite) {
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}

} // namespace pathprof::testing

#endif
