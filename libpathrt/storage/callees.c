/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Defines the thread-local variable for metric=tsc.  The variable is defined in a separate file, so that only modules
 * that measure cycles contain it.  This is important because shared libraries loaded at run time have little space for
 * thread-local variables.  */
#include "libpathrt/storage/cycles.h"

__thread uint64_t __pathrt_callees;

/* Makes the linker include cycles.c, which measures the cost of reading the clock.  */
const uint64_t *const pathrt_needs_cycles __attribute__((used)) = &__pathrt_reading;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"
/* This constructor runs before the constructor that starts the module (libpathrt/module.c).  */
static __attribute__((constructor(99))) void note_that_cycles_are_measured(void) {
  pathrt_measures_cycles = true;
}
#pragma GCC diagnostic pop
