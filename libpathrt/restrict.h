/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Programs that restrict the system calls that they may make (seccomp, landlock): from then on a call of the runtime
 * could kill the process, so the runtime makes none.  */
#ifndef PATHRT_RESTRICT_H
#define PATHRT_RESTRICT_H

/* Called by instrumented code (PATHPROF_RESTRICT_SYMBOL and the following) before it calls seccomp_load, and before
 * prctl and syscall with their first arguments.  Writes all counts, and from there on counts in the raw file of
 * continuous mode, which outlives the process without a system call.  */
void __pathrt_restrict(void);
void __pathrt_prctl(long option);
void __pathrt_syscall(long number, long argument);

#endif
