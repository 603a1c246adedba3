/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The segment register %gs.  A program's code addresses the counters of the running thread relative to the base of %gs
 * (x86-64).  */
#ifndef PATHRT_SEGMENT_H
#define PATHRT_SEGMENT_H

#include <stdbool.h>

/* True if the program contains such code.  */
extern bool pathrt_uses_segment;

#endif
