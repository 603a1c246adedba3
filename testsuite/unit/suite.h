// SPDX-License-Identifier: GPL-3.0-or-later
// Running the tests of a unit program.
#ifndef PATHPROF_TESTSUITE_SUITE_H
#define PATHPROF_TESTSUITE_SUITE_H

#include <vector>

#include <check.h>

namespace pathprof::testing {

struct TestCase {
  const char *name;
  std::vector<const TTest *> tests;
  int timeout = 0; // seconds for each test; 0 for Check's default
};

// Runs the tests, and returns the exit status of the program: 1 if a test failed, otherwise 0.
inline int run_suite(const char *name, const std::vector<TestCase> &cases) {
  Suite *suite = suite_create(name);
  for (const TestCase &test_case : cases) {
    TCase *tcase = tcase_create(test_case.name);
    if (test_case.timeout)
      tcase_set_timeout(tcase, test_case.timeout);
    for (const TTest *test : test_case.tests)
      tcase_add_test(tcase, test);
    suite_add_tcase(suite, tcase);
  }
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}

} // namespace pathprof::testing

#endif
