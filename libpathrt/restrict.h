/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Support for programs that restrict their own system calls (seccomp, landlock).  Once system calls are restricted, the
 * runtime makes no further system calls, because a forbidden call could kill the process.  */
#ifndef PATHRT_RESTRICT_H
#define PATHRT_RESTRICT_H

/* Instrumented code calls __pathrt_restrict before seccomp_load, __pathrt_prctl before prctl, and __pathrt_syscall
 * before syscall.  These functions receive the first arguments of the intercepted call.  If the call restricts system
 * calls, they write all counts and then move the counters to a mapped raw file, as in continuous mode.  The raw file
 * preserves later counts without any system calls.  */
void __pathrt_restrict(void);
void __pathrt_prctl(long option);
void __pathrt_syscall(long number, long argument);

#endif
