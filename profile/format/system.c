/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Implements the system calls for each architecture.  */
#define _GNU_SOURCE
#include "profile/format/system.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profile/format/text.h"

/* Programs do not define __environ and __getauxval, because these names are reserved for the C library.  musl does not
 * provide __getauxval, so getauxval is called instead.  */
extern char **__environ;
unsigned long __getauxval(unsigned long type) __attribute__((weak));
unsigned long getauxval(unsigned long type);

/* ---- the system call ---- */

#if defined __x86_64__
static long enter_kernel(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined __aarch64__
static long enter_kernel(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}
#else
/* On other targets, syscall is the only C library function that is called, and therefore the only function that a
 * program could replace.  */
static long enter_kernel(long number, long a, long b, long c, long d, long e, long f) {
  long result = syscall(number, a, b, c, d, e, f);
  return result == -1 ? -errno : result;
}
#endif

long pathprof_sys_call(long number, long a, long b, long c, long d, long e, long f) {
  enum { LARGEST_ERROR = 4095 };
  long result = enter_kernel(number, a, b, c, d, e, f);
  if (result < 0 && result >= -LARGEST_ERROR) {
    errno = (int)-result;
    return -1;
  }
  return result;
}

/* On 32-bit targets, the first version of some system calls has arguments or results that are too small.  */
#if UINTPTR_MAX == UINT32_MAX
#undef SYS_fchown
#undef SYS_fcntl
#undef SYS_geteuid
#define SYS_fchown SYS_fchown32
#define SYS_fcntl SYS_fcntl64
#define SYS_geteuid SYS_geteuid32
#endif

#define CALL(number, a, b, c, d) pathprof_sys_call(number, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

/* ---- 64-bit arguments ---- */

#if UINTPTR_MAX == UINT32_MAX
/* The two arguments that a 64-bit number occupies.  */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PAIR(number) (long)(uint32_t)(number), (long)(uint32_t)((uint64_t)(number) >> 32)
#else
#define PAIR(number) (long)(uint32_t)((uint64_t)(number) >> 32), (long)(uint32_t)(number)
#endif

/* On Arm, a pair of arguments starts at an even position, so an unused argument can precede it.  */
static long call_at(long number, int fd, const void *data, size_t size, off_t offset) {
#ifdef __arm__
  return pathprof_sys_call(number, fd, (long)data, (long)size, 0, PAIR(offset));
#else
  return pathprof_sys_call(number, fd, (long)data, (long)size, PAIR(offset), 0);
#endif
}

static long truncate_file(int fd, off_t size) {
#ifdef __arm__
  return pathprof_sys_call(SYS_ftruncate64, fd, 0, PAIR(size), 0, 0);
#else
  return pathprof_sys_call(SYS_ftruncate64, fd, PAIR(size), 0, 0, 0);
#endif
}

static long allocate_space(int fd, off_t offset, off_t size) {
  return pathprof_sys_call(SYS_fallocate, fd, 0, PAIR(offset), PAIR(size));
}

static long stat_file_system(int fd, struct statfs *status) {
  return CALL(SYS_fstatfs64, fd, sizeof *status, status, 0);
}

/* The system call takes the offset in units of 4096 bytes.  */
static long map_memory(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
  return pathprof_sys_call(SYS_mmap2, (long)address, (long)size, protection, flags, fd, (long)(offset / 4096));
}
#else
static long call_at(long number, int fd, const void *data, size_t size, off_t offset) {
  return CALL(number, fd, data, size, offset);
}

static long truncate_file(int fd, off_t size) {
  return CALL(SYS_ftruncate, fd, size, 0, 0);
}

static long allocate_space(int fd, off_t offset, off_t size) {
  return CALL(SYS_fallocate, fd, 0, offset, size);
}

static long stat_file_system(int fd, struct statfs *status) {
  return CALL(SYS_fstatfs, fd, status, 0, 0);
}

static long map_memory(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
#if defined __s390x__
  /* On this target, the system call reads its arguments from memory.  */
  unsigned long arguments[] = {(unsigned long)address,    size,
                               (unsigned long)protection, (unsigned long)flags,
                               (unsigned long)fd,         (unsigned long)offset};
  return CALL(SYS_mmap, arguments, 0, 0, 0);
#else
  return pathprof_sys_call(SYS_mmap, (long)address, (long)size, protection, flags, fd, offset);
#endif
}
#endif

/* ---- files ---- */

int pathprof_sys_open(const char *name, int flags, mode_t mode) {
  return (int)CALL(SYS_openat, AT_FDCWD, name, flags, mode);
}

int pathprof_sys_close(int fd) {
  return (int)CALL(SYS_close, fd, 0, 0, 0);
}

ssize_t pathprof_sys_read(int fd, void *data, size_t size) {
  return CALL(SYS_read, fd, data, size, 0);
}

ssize_t pathprof_sys_pread(int fd, void *data, size_t size, off_t offset) {
  return call_at(SYS_pread64, fd, data, size, offset);
}

ssize_t pathprof_sys_write(int fd, const void *data, size_t size) {
  return CALL(SYS_write, fd, data, size, 0);
}

ssize_t pathprof_sys_pwrite(int fd, const void *data, size_t size, off_t offset) {
  return call_at(SYS_pwrite64, fd, data, size, offset);
}

ssize_t pathprof_sys_writev(int fd, const struct iovec *parts, int n) {
  return CALL(SYS_writev, fd, parts, n, 0);
}

int pathprof_sys_fcntl(int fd, int command, long argument) {
  return (int)CALL(SYS_fcntl, fd, command, argument, 0);
}

int pathprof_sys_flock(int fd, int operation) {
  return (int)CALL(SYS_flock, fd, operation, 0, 0);
}

int pathprof_sys_ftruncate(int fd, off_t size) {
  return (int)truncate_file(fd, size);
}

int pathprof_sys_fallocate(int fd, off_t offset, off_t size) {
  return (int)allocate_space(fd, offset, size);
}

int pathprof_sys_fchmod(int fd, mode_t mode) {
  return (int)CALL(SYS_fchmod, fd, mode, 0, 0);
}

int pathprof_sys_fchown(int fd, uid_t user, gid_t group) {
  return (int)CALL(SYS_fchown, fd, user, group, 0);
}

int pathprof_sys_fstatat(int folder, const char *name, struct stat *status, int flags) {
#ifdef SYS_newfstatat
  return (int)CALL(SYS_newfstatat, folder, name, status, flags);
#else
  return (int)CALL(SYS_fstatat64, folder, name, status, flags);
#endif
}

int pathprof_sys_fstat(int fd, struct stat *status) {
  return pathprof_sys_fstatat(fd, "", status, AT_EMPTY_PATH);
}

int pathprof_sys_stat(const char *name, struct stat *status) {
  return pathprof_sys_fstatat(AT_FDCWD, name, status, 0);
}

int pathprof_sys_lstat(const char *name, struct stat *status) {
  return pathprof_sys_fstatat(AT_FDCWD, name, status, AT_SYMLINK_NOFOLLOW);
}

/* Calls faccessat, which checks the real user and group.  The effective user and group differ from the real ones only
 * in programs that run with AT_SECURE, in which the runtime is disabled.  */
bool pathprof_sys_is_writable(int folder) {
  return CALL(SYS_faccessat, folder, ".", W_OK, 0) == 0;
}

uint64_t pathprof_sys_file_system(int fd) {
  struct statfs status;
  return stat_file_system(fd, &status) == 0 ? (uint64_t)status.f_type : 0;
}

int pathprof_sys_rename(const char *from, const char *to) {
#ifdef SYS_rename
  return (int)CALL(SYS_rename, from, to, 0, 0);
#else
  return (int)CALL(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to);
#endif
}

int pathprof_sys_unlinkat(int folder, const char *name) {
  return (int)CALL(SYS_unlinkat, folder, name, 0, 0);
}

int pathprof_sys_unlink(const char *name) {
#ifdef SYS_unlink
  return (int)CALL(SYS_unlink, name, 0, 0, 0);
#else
  return pathprof_sys_unlinkat(AT_FDCWD, name);
#endif
}

int pathprof_sys_mkdir(const char *name, mode_t mode) {
  return (int)CALL(SYS_mkdirat, AT_FDCWD, name, mode, 0);
}

ssize_t pathprof_sys_readlink(const char *name, char *text, size_t size) {
  return CALL(SYS_readlinkat, AT_FDCWD, name, text, size);
}

bool pathprof_sys_getcwd(char *text, size_t size) {
  return CALL(SYS_getcwd, text, size, 0, 0) > 0;
}

long pathprof_sys_getdents(int folder, void *entries, size_t size) {
  return CALL(SYS_getdents64, folder, entries, size, 0);
}

int pathprof_sys_poll(struct pollfd *fds, unsigned n, int milliseconds) {
  struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  return (int)CALL(SYS_ppoll, fds, n, &time, NULL);
}

/* ---- memory ---- */

void *pathprof_sys_mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
  return (void *)map_memory(address, size, protection, flags, fd, offset);
}

void *pathprof_sys_mremap(void *data, size_t old_size, size_t size, int flags) {
  return (void *)CALL(SYS_mremap, data, old_size, size, flags);
}

int pathprof_sys_munmap(void *data, size_t size) {
  return (int)CALL(SYS_munmap, data, size, 0, 0);
}

int pathprof_sys_madvise(void *data, size_t size, int advice) {
  return (int)CALL(SYS_madvise, data, size, advice, 0);
}

size_t pathprof_sys_page_size(void) {
  enum { PAGE_SIZE_ENTRY = 6, USUAL = 4096 };
  size_t size = pathprof_sys_auxiliary(PAGE_SIZE_ENTRY);
  return size ? size : USUAL;
}

/* ---- processes and threads ---- */

pid_t pathprof_sys_getpid(void) {
  return (pid_t)CALL(SYS_getpid, 0, 0, 0, 0);
}

pid_t pathprof_sys_gettid(void) {
  return (pid_t)CALL(SYS_gettid, 0, 0, 0, 0);
}

uid_t pathprof_sys_geteuid(void) {
  return (uid_t)CALL(SYS_geteuid, 0, 0, 0, 0);
}

bool pathprof_sys_has_process(pid_t pid) {
  return CALL(SYS_kill, pid, 0, 0, 0) == 0 || errno != ESRCH;
}

bool pathprof_sys_has_thread(pid_t pid, pid_t thread) {
  return CALL(SYS_tgkill, pid, thread, 0, 0) == 0 || errno != ESRCH;
}

/* Starts the helper process.  The system call returns in both processes, but on different stacks, so the code after the
 * call cannot be C code.  */
#if defined __x86_64__
static long start_helper(void (*work)(void *), void *argument, void *stack_end, unsigned long flags) {
  long result;
  register void *to_call __asm__("r12") = (void *)work;
  register void *to_pass __asm__("r13") = argument;
  register long r10 __asm__("r10") = 0;
  register long r8 __asm__("r8") = 0;
  __asm__ volatile("syscall\n\t"
                   "test %%rax, %%rax\n\t"
                   "jnz 1f\n\t"
                   "xor %%ebp, %%ebp\n\t"
                   "mov %%r13, %%rdi\n\t"
                   "call *%%r12\n\t"
                   "xor %%edi, %%edi\n\t"
                   "mov %[end], %%eax\n\t"
                   "syscall\n"
                   "1:"
                   : "=a"(result)
                   : "a"(SYS_clone), "D"(flags), "S"(stack_end), "d"(0L), "r"(r10), "r"(r8), "r"(to_call),
                     "r"(to_pass), [end] "i"(SYS_exit)
                   : "rcx", "r11", "memory");
  enum { LARGEST_ERROR = 4095 };
  if (result < 0 && result >= -LARGEST_ERROR) {
    errno = (int)-result;
    return -1;
  }
  return result;
}
#else
int clone(int (*work)(void *), void *stack, int flags, void *argument, ...);

struct helper {
  void (*work)(void *);
  void *argument;
};

static int run(void *data) {
  struct helper *helper = data;
  helper->work(helper->argument);
  return 0;
}

static long start_helper(void (*work)(void *), void *argument, void *stack_end, unsigned long flags) {
  struct helper helper = {work, argument};
  return clone(run, stack_end, (int)flags, &helper);
}
#endif

bool pathprof_sys_run_helper(void (*work)(void *), void *argument, void *stack, size_t stack_size) {
  enum { SHARE_MEMORY = 0x100, WAIT = 0x4000, ANY_KIND = 0x40000000 }; /* CLONE_VM, CLONE_VFORK, __WALL */
  long helper = start_helper(work, argument, (char *)stack + stack_size, SHARE_MEMORY | WAIT);
  if (helper < 0)
    return false;
  CALL(SYS_wait4, helper, NULL, ANY_KIND, NULL);
  return true;
}

void pathprof_sys_abort(void) {
  struct pathprof_action usual = {.flags = 0};
  pathprof_sys_sigaction(SIGABRT, &usual, NULL);
  pathprof_sys_set_mask(~pathprof_signal_bit(SIGABRT), NULL);
  CALL(SYS_tgkill, pathprof_sys_getpid(), pathprof_sys_gettid(), SIGABRT, 0);
  __builtin_trap();
}

const char *pathprof_sys_getenv(const char *name) {
  size_t size = pathprof_text_size(name);
  for (char **variable = __environ; variable && *variable; variable++)
    if (pathprof_text_starts(*variable, name) && (*variable)[size] == '=')
      return *variable + size + 1;
  return NULL;
}

unsigned long pathprof_sys_auxiliary(unsigned long type) {
  return __getauxval ? __getauxval(type) : getauxval(type);
}

void pathprof_sys_host(char *text, size_t size) {
  struct utsname names;
  text[0] = '\0';
  if (CALL(SYS_uname, &names, 0, 0, 0) != 0)
    return;
  for (size_t i = 0; i + 1 < size && i < sizeof names.nodename && names.nodename[i]; i++) {
    text[i] = names.nodename[i];
    text[i + 1] = '\0';
  }
}

/* ---- time ---- */

int pathprof_sys_clock_gettime(clockid_t clock, struct timespec *time) {
  return (int)CALL(SYS_clock_gettime, clock, time, 0, 0);
}

void pathprof_sys_nanosleep(const struct timespec *time) {
  CALL(SYS_nanosleep, time, NULL, 0, 0);
}

/* ---- signals ---- */

#ifdef __x86_64__
/* The code that a signal handler returns to.  The kernel requires the address of this code.  Debuggers and unwinders
 * recognize the frame of a handler by these instructions.  */
void pathprof_sys_return_from_handler(void);
__asm__(".pushsection .text\n"
        "\t.p2align 4\n"
        "\tnop\n" /* unwinders look up the byte before a return address */
        "\t.hidden pathprof_sys_return_from_handler\n"
        "\t.globl pathprof_sys_return_from_handler\n"
        "\t.type pathprof_sys_return_from_handler, @function\n"
        "pathprof_sys_return_from_handler:\n"
        "\tmovq $15, %rax\n"
        "\tsyscall\n"
        "\t.size pathprof_sys_return_from_handler, . - pathprof_sys_return_from_handler\n"
        "\t.popsection");
#endif

int pathprof_sys_sigaction(int signal, const struct pathprof_action *action, struct pathprof_action *old) {
  struct pathprof_action with_return;
#ifdef __x86_64__
  enum { HAS_RESTORER = 0x04000000 };
  if (action) {
    with_return = *action;
    with_return.flags |= HAS_RESTORER;
    with_return.restorer = pathprof_sys_return_from_handler;
    action = &with_return;
  }
#else
  (void)with_return;
#endif
  return (int)CALL(SYS_rt_sigaction, signal, action, old, sizeof(pathprof_signals));
}

void pathprof_sys_set_mask(pathprof_signals mask, pathprof_signals *old) {
  CALL(SYS_rt_sigprocmask, SIG_SETMASK, &mask, old, sizeof mask);
}

pathprof_signals pathprof_sys_pending(void) {
  pathprof_signals pending = 0;
  CALL(SYS_rt_sigpending, &pending, sizeof pending, 0, 0);
  return pending;
}

void pathprof_sys_discard(pathprof_signals signals) {
  static const struct timespec at_once = {0, 0};
  CALL(SYS_rt_sigtimedwait, &signals, NULL, &at_once, sizeof signals);
}
