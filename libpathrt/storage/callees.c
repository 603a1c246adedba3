/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The thread-local variable of metric=tsc.  It is in a file of its own so that only modules that measure cycles have
 * it: the space for such variables of objects that a program opens is small.  */
#include "libpathrt/storage/cycles.h"

__thread uint64_t __pathrt_callees;
const char pathrt_has_callees = 1;
