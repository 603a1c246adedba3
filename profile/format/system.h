/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* System calls without the C library.
 *
 * A program may define or wrap any function of the C library.  For example, a unit test replaces open or read by a
 * mock, and a memory allocator defines mmap.  The runtime must not call or depend on such a replacement, so it calls
 * the kernel directly.  The layouts of the structures are those of the kernel, which glibc and musl share on targets
 * with 64-bit pointers.  There, one archive works with both libraries.  On 32-bit targets, _FILE_OFFSET_BITS must
 * be 64.
 *
 * Unless stated otherwise, the functions behave like their namesakes: they return −1 and set errno if the call fails.
 * No function is a cancellation point.  */
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

/* Executes the system call with this number and these arguments.  */
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
/* Returns true if the effective user and group have write permission for `folder`.  */
bool pathprof_sys_is_writable(int folder);
/* Returns the magic number of the file system that contains the file, or 0 if it is unknown.  */
uint64_t pathprof_sys_file_system(int fd);
int pathprof_sys_rename(const char *from, const char *to);
int pathprof_sys_unlink(const char *name);
int pathprof_sys_unlinkat(int folder, const char *name);
int pathprof_sys_mkdir(const char *name, mode_t mode);
ssize_t pathprof_sys_readlink(const char *name, char *text, size_t size);
/* Copies the name of the working directory.  Returns false if the name cannot be determined or does not fit.  */
bool pathprof_sys_getcwd(char *text, size_t size);
long pathprof_sys_getdents(int folder, void *entries, size_t size);
int pathprof_sys_poll(struct pollfd *fds, unsigned n, int milliseconds);

/* ---- memory ---- */

/* On failure, the functions that return a pointer return MAP_FAILED and set errno.  */
void *pathprof_sys_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset);
void *pathprof_sys_mremap(void *data, size_t old_size, size_t size, int flags);
int pathprof_sys_munmap(void *data, size_t size);
int pathprof_sys_madvise(void *data, size_t size, int advice);
size_t pathprof_sys_page_size(void);

/* ---- processes and threads ---- */

pid_t pathprof_sys_getpid(void);
pid_t pathprof_sys_gettid(void);
uid_t pathprof_sys_geteuid(void);
/* Returns true if the process exists, even if the caller may not send signals to it.  */
bool pathprof_sys_has_process(pid_t pid);
/* Returns true if the process has a thread with this ID that has not ended.  */
bool pathprof_sys_has_thread(pid_t pid, pid_t thread);
/* Runs `work` in a helper process that shares memory but not descriptors with the calling process, and waits until the
 * helper ends.  The helper uses `stack`, which has `stack_size` bytes.  Returns false and sets errno if the helper
 * cannot be created.  */
bool pathprof_sys_run_helper(void (*work)(void *), void *argument, void *stack, size_t stack_size);
/* Terminates the process with SIGABRT.  */
__attribute__((noreturn)) void pathprof_sys_abort(void);
/* Returns the value of an environment variable, or null if it is not set.  */
const char *pathprof_sys_getenv(const char *name);
/* Returns the value of an entry in the auxiliary vector, or 0 if the vector does not contain the entry.  */
unsigned long pathprof_sys_auxiliary(unsigned long type);
/* Copies the name of the host, with a NUL.  */
void pathprof_sys_host(char *text, size_t size);

/* ---- time ---- */

int pathprof_sys_clock_gettime(clockid_t clock, struct timespec *time);
void pathprof_sys_nanosleep(const struct timespec *time);

/* ---- signals ---- */

/* A set of signals, in which bit n − 1 represents signal n.  */
typedef uint64_t pathprof_signals;
static inline pathprof_signals pathprof_signal_bit(int signal) {
  return (pathprof_signals)1 << (signal - 1);
}

/* The action for a signal, in the layout that the kernel uses.  */
struct pathprof_action {
  union {
    void (*handler)(int);
    void (*with_info)(int, siginfo_t *, void *);
  };
  unsigned long flags;
#if defined __x86_64__ || defined __i386__ || defined __aarch64__ || defined __arm__ || defined __s390x__ ||           \
    defined __powerpc64__
  void (*restorer)(void);
#endif
#if UINTPTR_MAX == UINT32_MAX
  pathprof_signals mask __attribute__((packed, aligned(4)));
#else
  pathprof_signals mask;
#endif
};
/* Sets the action if `action` is not null, and stores the previous action in `*old` if `old` is not null.  */
int pathprof_sys_sigaction(int signal, const struct pathprof_action *action, struct pathprof_action *old);
/* Sets the signal mask of the thread.  */
void pathprof_sys_set_mask(pathprof_signals mask, pathprof_signals *old);
pathprof_signals pathprof_sys_pending(void);
/* Discards the pending signals of the set.  */
void pathprof_sys_discard(pathprof_signals signals);

#ifdef __cplusplus
}
#endif
#endif
