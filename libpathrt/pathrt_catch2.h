/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Records each test case of a Catch2 program (version 2 or 3) separately.
 *
 * Compile all files of the project with `-include pathrt_catch2.h`.  Files that do not include a header of Catch2 are
 * not affected.  If PATHPROF_TEST is set when the program starts, that name is kept.  Version 3 declares listeners in
 * separate headers, which this header includes if the compiler finds them.  If the project uses its own copy of version
 * 2 or a single header, define PATHRT_CATCH2_SINGLE_HEADER.  */
#ifndef PATHRT_CATCH2_H
#define PATHRT_CATCH2_H

#ifdef __cplusplus
#include <pathrt.h>

#if !defined(PATHRT_CATCH2_SINGLE_HEADER) && __has_include(<catch2/reporters/catch_reporter_event_listener.hpp>)
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#endif

namespace Catch {
class AssertionHandler;
struct TestCaseInfo;
struct TestCaseStats;
template <typename T>
class ListenerRegistrar;
class EventListenerBase;      // version 3
struct TestEventListenerBase; // version 2, only in the file with CATCH_CONFIG_MAIN or CATCH_CONFIG_RUNNER
} // namespace Catch

namespace pathrt_catch2 {

extern "C" char *getenv(const char *);

/* GCC instantiates function templates at the end of the file.  The classes of Catch2 are complete there if the file
 * includes Catch2's headers.  The parameters only make the names of these classes dependent, so that they are looked up
 * at the end of the file.  */
template <class Base, class Info, class Stats>
class Listener : public Base {
public:
  using Base::Base;
  void testCaseStarting(const Info &info) override {
    Base::testCaseStarting(info);
    if (pathrt_test_begin)
      pathrt_test_begin(info.name.c_str());
  }
  void testCaseEnded(const Stats &stats) override {
    if (pathrt_test_end)
      pathrt_test_end();
    Base::testCaseEnded(stats);
  }
};

template <class Registrar>
auto add(int) -> decltype(Registrar("pathrt"), void()) {
  Registrar("pathrt");
}
template <class Registrar>
void add(long) {
  Registrar();
}

/* Registers the listener once in each program, if both classes are complete: `Base`, and the class that handles the
 * assertions of tests.  */
template <class Base, class Handler, unsigned = sizeof(Base) + sizeof(Handler)>
void add_listener(int) {
  static bool is_added = getenv("PATHPROF_TEST");
  if (!is_added)
    add<Catch::ListenerRegistrar<Listener<Base, Catch::TestCaseInfo, Catch::TestCaseStats>>>(0);
  is_added = true;
}
template <class Base, class Handler>
void add_listener(long) {}

/* The function is static, because it differs between files.  */
template <class Handler>
static void start() {
  add_listener<Catch::EventListenerBase, Handler>(0);
  add_listener<Catch::TestEventListenerBase, Handler>(0);
}

__attribute__((constructor)) static void start_in_file() {
  start<Catch::AssertionHandler>();
}

} // namespace pathrt_catch2
#endif
#endif
