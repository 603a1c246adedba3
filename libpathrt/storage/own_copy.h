/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Locates the current thread's copy of the counters, for instrumented code with update=thread.  */
#ifndef PATHRT_OWN_COPY_H
#define PATHRT_OWN_COPY_H

#include <stdint.h>

#include "profile/format/abi.h"

/* Offset from an address in the counter section to the corresponding address in the thread's copy (struct
 * pathrt_thread), or PATHPROF_NO_COPY until the thread counts its first path.  Instrumented code reads this variable
 * once per activation.  */
extern __thread uint64_t __pathrt_to_own __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Returns the offset of the thread's copy, creating the copy if necessary.  Instrumented code calls this function if
 * __pathrt_to_own is PATHPROF_NO_COPY.  Returns 0 if memory is exhausted; the thread then uses the shared counters.
 * Can be called in any context and preserves errno.  */
uint64_t __pathrt_thread(void);

#endif
