/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Code that was compiled with switch=1 asks this byte of its module whether its instrumented bodies run: not zero if
 * they do.  It is read all the time and has a cache line of its own.  */
#ifndef PATHRT_SWITCHED_H
#define PATHRT_SWITCHED_H

struct pathrt_switched {
  volatile unsigned char is_on;
} __attribute__((aligned(64)));

extern struct pathrt_switched __pathrt_switched __attribute__((visibility("hidden")));

/* The byte, where the module has one: only code that was compiled with switch=1 brings it into the link.  Set before
 * the module starts, and defined where it does (libpathrt/module.c).  */
extern struct pathrt_switched *pathrt_switch_of_module;

#endif
