/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What instrumented code of update=thread knows of the running thread: the distance to its copy of the counters.  */
#ifndef PATHRT_OWN_COPY_H
#define PATHRT_OWN_COPY_H

#include <stdint.h>

#include "profile/format/abi.h"

/* What the thread adds to an address in the counters' section (struct pathrt_thread), or PATHPROF_NO_COPY as long as it
 * has not counted.  Instrumented code reads it once an activation.  */
extern __thread uint64_t __pathrt_to_own __attribute__((visibility("hidden"), tls_model("initial-exec")));

/* The same, after making the copy if the thread has none: instrumented code calls it where it found PATHPROF_NO_COPY. 0
 * without memory: then threads share the counters.  May be called from any context, and leaves errno alone.  */
uint64_t __pathrt_thread(void);

#endif
