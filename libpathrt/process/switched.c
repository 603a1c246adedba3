/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Measures how long profiling has been switched on.  */
#define _GNU_SOURCE
#include "libpathrt/process/switched.h"

#include <time.h>

#include "libpathrt/process/registry.h"
#include "profile/format/system.h"

uint64_t pathrt_microseconds(void) {
  struct timespec time = {0, 0};
  pathprof_sys_clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

bool pathrt_is_switched_on(void) {
  return pathrt_registry.switched_on || pathrt_registry.is_recorded;
}

/* Makes no system calls if profiling is off.  */
uint64_t pathrt_switched_for(void) {
  if (pathrt_is_switched_on()) {
    uint64_t time = pathrt_microseconds();
    pathrt_registry.switched_for += time - pathrt_registry.switched_at;
    pathrt_registry.switched_at = time;
  }
  return pathrt_registry.switched_for;
}

static void change(bool *reason, bool on) {
  pathrt_switched_for();
  *reason = on;
  if (pathrt_is_switched_on())
    pathrt_registry.switched_at = pathrt_microseconds();
}

void pathrt_note_switched(bool on) {
  change(&pathrt_registry.switched_on, on);
}

void pathrt_note_recorded(bool on) {
  change(&pathrt_registry.is_recorded, on);
}

void pathrt_switch_modules(void) {
  for (struct pathrt_module *each = pathrt_registry.modules; each; each = each->next)
    each->set_switch(pathrt_is_switched_on());
}
