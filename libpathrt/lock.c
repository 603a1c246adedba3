/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#define _GNU_SOURCE
#include "libpathrt/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libpathrt/adopt.h"
#include "libpathrt/message.h"
#include "libpathrt/registry.h"

static int lock_fd = -1;

int pathrt_open(const char *name, int flags, mode_t mode) {
  enum { FIRST_FD = 3 };
  int fd;
  do
    fd = open(name, flags | O_CLOEXEC | O_NOFOLLOW, mode);
  while (fd < 0 && errno == EINTR);
  struct stat status;
  if (fd >= 0 && (flags & O_EXCL) && fstat(fd, &status) == 0 && (status.st_mode & 0600) != 0600)
    fchmod(fd, (status.st_mode & 0777) | 0600);
  if (fd < 0 || fd >= FIRST_FD)
    return fd;
  int higher = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);
  int error = errno;
  close(fd);
  errno = error;
  return higher;
}

/* ---- waiting ---- */

static bool same_file(int fd, const char *name) {
  struct stat opened, named;
  return fstat(fd, &opened) == 0 && lstat(name, &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

/* Signal handlers run meanwhile and may write, or fork: whoever was interrupted so has to begin
 * again, with a file of its own.  */
static int wait_for_lock(int fd, const struct pathrt_signals *before) {
  struct pathrt_signals again;
  int result;
  pathrt_registry.interrupted = false;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0)
    return 0;
  pathrt_registry.waiting_fd = before ? fd + 1 : 0;
  if (before)
    pathrt_restore_signals(before);
  do
    result = flock(fd, LOCK_EX);
  while (result != 0 && errno == EINTR && !pathrt_registry.interrupted);
  int error = errno;
  pathrt_block_signals(&again);
  pathrt_registry.waiting_fd = 0;
  errno = error;
  return result;
}

/* A file that another user's umask, or our own for a moment, closes to us is soon gone.  */
static int open_or_make(const char *name, bool *made) {
  static const struct timespec a_while = {0, 1000000};
  for (int tries = 200;; tries--) {
    int fd = pathrt_open(name, O_RDONLY | O_CREAT | O_EXCL, 0666);
    *made = fd >= 0;
    if (fd >= 0 || errno != EEXIST)
      return fd;
    fd = pathrt_open(name, O_RDONLY, 0);
    if (fd >= 0 || (errno != ENOENT && errno != EACCES) || !tries)
      return fd;
    if (errno == EACCES)
      nanosleep(&a_while, NULL);
  }
}

/* The owner removes the lock file, so what was locked after a wait may be a file without a name,
 * which protects nothing: then it is tried again.  Conversely, a lock file that has its name
 * although nobody holds it was left by somebody who was killed.  */
static int open_lock(const char *name, const struct pathrt_signals *before, bool *was_left) {
  for (;;) {
    bool made;
    int fd = open_or_make(name, &made);
    if (fd < 0)
      return fd;
    int result = wait_for_lock(fd, before);
    *was_left = !made;
    if (!pathrt_registry.interrupted && result == 0 && same_file(fd, name))
      return fd;
    int error = pathrt_registry.interrupted ? EINTR : errno;
    close(fd);
    if (result != 0 || pathrt_registry.interrupted) {
      errno = error;
      return -1;
    }
  }
}

/* ---- what was left ---- */

/* The process id in "FILE.PID.tmp" or "FILE.BUILDID.PID.tmp", 0 in other names.  */
static pid_t writer_of(const char *name, const char *base, size_t base_size) {
  static const char suffix[] = ".tmp";
  size_t size = strlen(name), suffix_size = sizeof suffix - 1;
  if (size <= base_size + suffix_size || memcmp(name, base, base_size) != 0 || name[base_size] != '.' ||
      strcmp(name + size - suffix_size, suffix) != 0)
    return 0;
  const char *end = name + size - suffix_size, *digit = end;
  unsigned long pid = 0, unit = 1;
  for (; digit > name + base_size + 1 && digit[-1] >= '0' && digit[-1] <= '9'; unit *= 10)
    pid += (unsigned long)(*--digit - '0') * unit;
  return digit < end && digit[-1] == '.' && end - digit < 10 ? (pid_t)pid : 0;
}

struct entry { /* as the kernel gives it */
  uint64_t inode;
  int64_t offset;
  unsigned short size;
  unsigned char type;
  char name[];
};

/* Temporaries of dead processes.  */
static void remove_if_left(int folder, const char *name, const struct pathrt_name *file) {
  const char *base = pathrt_base_name(file->text);
  pid_t pid = writer_of(name, base, strlen(base));
  if (pid && (pid == getpid() || (kill(pid, 0) != 0 && errno == ESRCH)))
    unlinkat(folder, name, 0);
}

/* The folder is read by hand: opendir calls malloc.  */
void pathrt_visit_folder(const struct pathrt_name *file,
                         void (*visit)(int folder, const char *name, const struct pathrt_name *file)) {
  static struct pathrt_name folder;
  static _Alignas(8) char entries[8192];
  pathrt_name_extend(&folder, file, "");
  char *slash = strrchr(folder.text, '/');
  if (slash)
    slash[slash == folder.text] = '\0';
  int fd = pathrt_open(slash ? folder.text : ".", O_RDONLY | O_DIRECTORY, 0);
  if (fd < 0)
    return;
  for (long n; (n = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0;)
    for (long at = 0; at < n;) {
      const struct entry *entry = (const struct entry *)(const void *)(entries + at);
      visit(fd, entry->name, file);
      at += entry->size;
    }
  close(fd);
}

/* ---- the lock ---- */

static enum pathrt_locked refuse(const struct pathrt_name *file, const char *what, int error) {
  if (error == EMFILE)
    return PATHRT_NO_DESCRIPTOR;
  if (pathrt_registry.interrupted)
    return PATHRT_INTERRUPTED;
  if (error == pathrt_registry.told_error && pathprof_key(file->text, file->size) == pathrt_registry.told_file)
    return PATHRT_NOT_LOCKED;
  pathrt_error(pathrt_shown(file), ": ", what, " (", pathrt_reason(error), ")", NULL);
  return PATHRT_NOT_LOCKED;
}

static const char *lock_name(const struct pathrt_name *file) {
  static struct pathrt_name lock;
  pathrt_name_extend(&lock, file, ".lock");
  return lock.too_long ? NULL : lock.text;
}

/* Reading and replacing a file takes up to three descriptors at a time, while that of an orphan and
 * its folder's are open.  */
static bool has_descriptors(void) {
  enum { NEEDED = 6 };
  int fds[NEEDED], n = 0;
  while (n < NEEDED && (fds[n] = fcntl(lock_fd, F_DUPFD_CLOEXEC, 3)) >= 0)
    n++;
  bool ok = n == NEEDED;
  while (n > 0)
    close(fds[--n]);
  return ok;
}

enum pathrt_locked pathrt_file_lock(const struct pathrt_name *file, const struct pathrt_signals *before) {
  const char *name = lock_name(file);
  pathrt_registry.interrupted = false;
  if (!name)
    return refuse(file, "cannot lock the file", ENAMETOOLONG);
  if (!pathrt_make_folders(file))
    return refuse(file, "cannot make the folder", errno);
  struct stat status;
  if (lstat(file->text, &status) == 0 && !S_ISREG(status.st_mode)) {
    pathrt_error(pathrt_shown(file), ": is not a regular file; nothing is written", NULL);
    return PATHRT_NOT_LOCKED;
  }
  bool was_left;
  lock_fd = open_lock(name, before, &was_left);
  if (lock_fd < 0)
    return refuse(file, "cannot lock the file", errno);
  if (!has_descriptors()) {
    pathrt_file_unlock(file);
    return PATHRT_NO_DESCRIPTOR;
  }
  pathrt_adopt_orphans(file); /* which look for temporaries */
  if (was_left)
    pathrt_visit_folder(file, remove_if_left);
  return PATHRT_LOCKED;
}

/* Unlocked by hand: a child forked meanwhile may hold a copy of the descriptor.  */
void pathrt_file_unlock(const struct pathrt_name *file) {
  unlink(lock_name(file));
  flock(lock_fd, LOCK_UN);
  close(lock_fd);
  lock_fd = -1;
}

void pathrt_lock_after_fork(void) {
  if (lock_fd >= 0)
    close(lock_fd);
  lock_fd = -1;
}
