/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Tracks the active test and its time.  */
#define _GNU_SOURCE
#include "libpathrt/process/test.h"

#include <time.h>

#include "libpathrt/process/message.h"
#include "profile/format/system.h"
#include "profile/format/text.h"

bool pathrt_is_test_name(const char *name, const char *source) {
  if (!name || pathprof_text_size(name) < PATHRT_TEST_SIZE)
    return true;
  pathrt_error(source, ": test name longer than 1023 bytes; counts are not assigned to any test", NULL);
  return false;
}

/* Returns the clock's time in microseconds, or 0 if the clock cannot be read.  */
static uint64_t time_of(clockid_t clock) {
  struct timespec now;
  if (pathprof_sys_clock_gettime(clock, &now) != 0)
    return 0;
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void start_clocks(void) {
  if (!*pathrt_space.test)
    return;
  pathrt_registry.test_processor_time = time_of(CLOCK_PROCESS_CPUTIME_ID);
  pathrt_registry.test_elapsed_time = time_of(CLOCK_MONOTONIC);
}

void pathrt_set_test(const char *name, bool goes_on) {
  if (name != pathrt_space.test)
    pathprof_text_copy(pathrt_space.test, name ? name : "", sizeof pathrt_space.test);
  pathrt_registry.test_serial++;
  pathrt_registry.test_goes_on = goes_on;
  pathrt_registry.environment_test_ran |= name == pathrt_space.environment_test;
  start_clocks();
}

void pathrt_read_test(void) {
  const char *name = pathprof_sys_getenv("PATHPROF_TEST");
  if (!name || !pathrt_is_test_name(name, "PATHPROF_TEST"))
    return;
  pathprof_text_copy(pathrt_space.environment_test, name, sizeof pathrt_space.environment_test);
  pathrt_set_test(pathrt_space.environment_test, false);
}

void pathrt_test_after_fork(void) {
  pathrt_registry.environment_test_ran = pathprof_text_equals(pathrt_space.test, pathrt_space.environment_test);
  pathrt_set_test(pathrt_space.test, false);
}

static uint64_t since(uint64_t before, clockid_t clock) {
  uint64_t now = time_of(clock);
  return now > before ? now - before : 0;
}

struct pathrt_test_part pathrt_test_part(bool is_told) {
  struct pathrt_test_part part = {pathrt_space.test, pathrt_registry.test_serial, !is_told, 0, 0};
  if (*part.name) {
    part.processor_time = since(pathrt_registry.test_processor_time, CLOCK_PROCESS_CPUTIME_ID);
    part.elapsed_time = since(pathrt_registry.test_elapsed_time, CLOCK_MONOTONIC);
  }
  return part;
}

void pathrt_test_told(const struct pathrt_test_part *part) {
  if (!*part->name || part->serial != pathrt_registry.test_serial)
    return;
  pathrt_registry.test_processor_time += part->processor_time;
  pathrt_registry.test_elapsed_time += part->elapsed_time;
}
