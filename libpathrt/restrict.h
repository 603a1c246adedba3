/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Support for programs that restrict their own system calls (seccomp, landlock).  After that, the runtime makes no
 * system calls, because they could kill the process.  */
#ifndef PATHRT_RESTRICT_H
#define PATHRT_RESTRICT_H

/* Instrumented code calls these functions (PATHPROF_RESTRICT_SYMBOL and the following) before seccomp_load, and before
 * prctl and syscall with their first arguments.  They write all counts and then move the counters to a raw file, as in
 * continuous mode, which outlives the process without a system call.  */
void __pathrt_restrict(void);
void __pathrt_prctl(long option);
void __pathrt_syscall(long number, long argument);

#endif
