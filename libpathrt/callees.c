/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* By itself, so that only modules that measure have it: the space for such variables of objects that a program
 * opens is small.  */
#include "libpathrt/cycles.h"

__thread uint64_t __pathrt_callees;
