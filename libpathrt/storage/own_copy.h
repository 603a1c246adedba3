/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The distance from the counters to the current thread's copy, for instrumented code with update=thread.  */
#ifndef PATHRT_OWN_COPY_H
#define PATHRT_OWN_COPY_H

#include <stdint.h>

#include "profile/format/abi.h"

/* Offset that the thread adds to an address in the counter section (struct pathrt_thread), or PATHPROF_NO_COPY until
 * the thread first counts.  Instrumented code reads this variable once per activation.  */
extern __thread uint64_t __pathrt_to_own __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* Returns the offset and creates the copy if the thread has none.  Instrumented code calls this function when it reads
 * PATHPROF_NO_COPY.  Returns 0 if memory is exhausted; threads then share the counters.  Can be called in any context
 * and preserves errno.  */
uint64_t __pathrt_thread(void);

#endif
