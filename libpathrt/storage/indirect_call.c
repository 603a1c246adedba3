/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Counts the targets of indirect calls.  The caller records the target address, and an instrumented callee then reports
 * its identity.  Shared libraries loaded at run time have little space for thread-local variables, so this file is
 * linked only into modules that need its thread-local variable.  */
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
