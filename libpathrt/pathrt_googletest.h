/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Records each test of a GoogleTest program (version 1.10 or later) separately, under the name SUITE.TEST.
 *
 * Compile all files of the project with `-include pathrt_googletest.h`.  Files that do not include gtest/gtest.h are
 * not affected.  If PATHPROF_TEST is set when the program starts, all tests are recorded under the name in that
 * variable.  */
#ifndef PATHRT_GOOGLETEST_H
#define PATHRT_GOOGLETEST_H

#ifdef __cplusplus
#include <pathrt.h>

namespace testing {
class EmptyTestEventListener;
class TestInfo;
class UnitTest;
} // namespace testing

namespace pathrt_googletest {

extern "C" char *getenv(const char *);

/* GCC instantiates function templates at the end of the file.  The classes of GoogleTest are complete there if the file
 * includes gtest/gtest.h.  The parameters only make the names of these classes dependent, so that they are looked up at
 * the end of the file.  */
template <class Base, class Info>
class Listener : public Base {
  void OnTestStart(const Info &info) override {
    char name[1100];
    unsigned size = 0;
    for (const char *part : {info.test_suite_name(), ".", info.name()})
      while (*part && size < sizeof name - 1)
        name[size++] = *part++;
    name[size] = '\0';
    if (pathrt_test_begin)
      pathrt_test_begin(name);
  }
  void OnTestEnd(const Info &) override {
    if (pathrt_test_end)
      pathrt_test_end();
  }
};

/* Adds the listener, once in each program.  */
template <class Base, class Info, class Program, unsigned = sizeof(Base)>
void add_listener(int) {
  static bool is_added = getenv("PATHPROF_TEST");
  if (!is_added)
    Program::GetInstance()->listeners().Append(new Listener<Base, Info>);
  is_added = true;
}
template <class Base, class Info, class Program>
void add_listener(long) {}

/* The function is static, because it differs between files.  */
template <class Base>
static void start() {
  add_listener<Base, testing::TestInfo, testing::UnitTest>(0);
}

__attribute__((constructor)) static void start_in_file() {
  start<testing::EmptyTestEventListener>();
}

} // namespace pathrt_googletest
#endif
#endif
