/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Defines the switch byte for modules that contain code compiled with switch=1.  */
#include "libpathrt/storage/switched.h"

struct pathrt_switched __pathrt_switched;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"
/* This constructor runs before the constructor that starts the module (libpathrt/module.c).  */
static __attribute__((constructor(99))) void tell_module(void) {
  pathrt_switch_of_module = &__pathrt_switched;
}
#pragma GCC diagnostic pop
