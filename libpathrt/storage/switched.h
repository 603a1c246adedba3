/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A module's switch byte.  Code compiled with switch=1 executes its instrumented bodies if the byte is not zero.  The
 * byte has a cache line of its own because it is read frequently.  */
#ifndef PATHRT_SWITCHED_H
#define PATHRT_SWITCHED_H

struct pathrt_switched {
  volatile unsigned char is_on;
} __attribute__((aligned(64)));

extern struct pathrt_switched __pathrt_switched __attribute__((visibility("hidden")));

/* Pointer to the switch byte, or null if the module contains no code compiled with switch=1.  Defined in
 * libpathrt/module.c and set before the module starts.  */
extern struct pathrt_switched *pathrt_switch_of_module;

#endif
