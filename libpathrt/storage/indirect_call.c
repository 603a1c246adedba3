/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What indirect calls call.  The caller notes the address, and the function that begins there, if it is instrumented,
 * says who it is.  In a file of its own so that only modules have the thread-local variable that need it: the space
 * for such variables of objects that a program opens is small.  */
#include <stddef.h>

#include "libpathrt/storage/values.h"

__thread struct pathprof_indirect_call __pathrt_indirect_call;

void __pathrt_called(int64_t callee) {
  struct pathprof_indirect_call call = __pathrt_indirect_call;
  __pathrt_indirect_call.callee = NULL;
  if (call.site & PATHPROF_SITE_IS_ATOMIC)
    __pathrt_value_atomic(call.table, call.site & ~PATHPROF_SITE_IS_ATOMIC, callee);
  else
    __pathrt_value(call.table, call.site, callee);
}
