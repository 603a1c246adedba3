/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* System calls without the C library.
 *
 * A program may define or wrap any function of the C library: a unit test replaces open or read by a mock, and a memory
 * allocator defines mmap.  The runtime must neither call such a replacement nor depend on it, so that it asks the
 * kernel itself.  The layouts of the structures are those of the kernel, which glibc and musl share on targets with
 * 64-bit pointers, so that one archive serves both libraries.
 *
 * Unless stated otherwise, the functions behave like their namesakes: they return −1 and set errno if the call fails.
 * None of them is a cancellation point.  */
#ifndef PATHPROF_PROFILE_FORMAT_SYSTEM_H
#define PATHPROF_PROFILE_FORMAT_SYSTEM_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Any system call.  */
long pathprof_sys_call(long number, long a, long b, long c, long d, long e, long f);

/* ---- files ---- */

int pathprof_sys_open(const char *name, int flags, mode_t mode);
int pathprof_sys_close(int fd);
ssize_t pathprof_sys_read(int fd, void *data, size_t size);
ssize_t pathprof_sys_pread(int fd, void *data, size_t size, off_t offset);
ssize_t pathprof_sys_write(int fd, const void *data, size_t size);
ssize_t pathprof_sys_pwrite(int fd, const void *data, size_t size, off_t offset);
ssize_t pathprof_sys_writev(int fd, const struct iovec *parts, int n);
int pathprof_sys_fcntl(int fd, int command, long argument);
int pathprof_sys_flock(int fd, int operation);
int pathprof_sys_ftruncate(int fd, off_t size);
int pathprof_sys_fallocate(int fd, off_t offset, off_t size);
int pathprof_sys_fchmod(int fd, mode_t mode);
int pathprof_sys_fchown(int fd, uid_t user, gid_t group);
int pathprof_sys_fstat(int fd, struct stat *status);
int pathprof_sys_fstatat(int folder, const char *name, struct stat *status, int flags);
int pathprof_sys_stat(const char *name, struct stat *status);
int pathprof_sys_lstat(const char *name, struct stat *status);
/* Returns true if `folder` may be written to with the effective user and group.  */
bool pathprof_sys_is_writable(int folder);
/* Returns the magic number of the file's file system, or 0 if it is unknown.  */
uint64_t pathprof_sys_file_system(int fd);
int pathprof_sys_rename(const char *from, const char *to);
int pathprof_sys_unlink(const char *name);
int pathprof_sys_unlinkat(int folder, const char *name);
int pathprof_sys_mkdir(const char *name, mode_t mode);
ssize_t pathprof_sys_readlink(const char *name, char *text, size_t size);
/* Returns false if the name of the working directory cannot be determined or does not fit.  */
bool pathprof_sys_getcwd(char *text, size_t size);
long pathprof_sys_getdents(int folder, void *entries, size_t size);
int pathprof_sys_poll(struct pollfd *fds, unsigned n, int milliseconds);

/* ---- memory ---- */

/* These return MAP_FAILED and set errno if the call fails.  */
void *pathprof_sys_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
void *pathprof_sys_mremap(void *data, size_t old_size, size_t size, int flags);
int pathprof_sys_munmap(void *data, size_t size);
int pathprof_sys_madvise(void *data, size_t size, int advice);
size_t pathprof_sys_page_size(void);

/* ---- processes and threads ---- */

pid_t pathprof_sys_getpid(void);
pid_t pathprof_sys_gettid(void);
uid_t pathprof_sys_geteuid(void);
/* Returns true if the process exists, whether or not it may be sent signals.  */
bool pathprof_sys_has_process(pid_t pid);
/* Runs `work` in a process that shares this one's memory but not its descriptors, and waits until it ends.  The stack
 * must have `stack_size` bytes.  Returns false with errno set if there is no such process.  */
bool pathprof_sys_run_helper(void (*work)(void *), void *argument, void *stack, size_t stack_size);
/* Ends the process by SIGABRT.  */
__attribute__((noreturn)) void pathprof_sys_abort(void);
/* Returns the variable's value, or null if it is not set.  */
const char *pathprof_sys_getenv(const char *name);
/* Returns an entry of the auxiliary vector, or 0 if it has no such entry.  */
unsigned long pathprof_sys_auxiliary(unsigned long type);
/* Copies the host's name, with a NUL.  */
void pathprof_sys_host(char *text, size_t size);

/* ---- time ---- */

int pathprof_sys_clock_gettime(clockid_t clock, struct timespec *time);
void pathprof_sys_nanosleep(const struct timespec *time);

/* ---- signals ---- */

/* A set of signals: bit n − 1 stands for signal n.  */
typedef uint64_t pathprof_signals;
static inline pathprof_signals pathprof_signal_bit(int signal) {
  return (pathprof_signals)1 << (signal - 1);
}

/* A signal's action as the kernel lays it out.  */
struct pathprof_action {
  union {
    void (*handler)(int);
    void (*with_info)(int, siginfo_t *, void *);
  };
  unsigned long flags;
#if defined __x86_64__ || defined __aarch64__ || defined __s390x__ || defined __powerpc64__
  void (*restorer)(void);
#endif
  pathprof_signals mask;
};
/* Sets the action, unless `action` is null, and stores the previous action, unless `old` is null.  */
int pathprof_sys_sigaction(int signal, const struct pathprof_action *action, struct pathprof_action *old);
/* Replaces the thread's mask.  */
void pathprof_sys_set_mask(pathprof_signals mask, pathprof_signals *old);
pathprof_signals pathprof_sys_pending(void);
/* Discards pending signals of the set.  */
void pathprof_sys_discard(pathprof_signals signals);

#ifdef __cplusplus
}
#endif
#endif
