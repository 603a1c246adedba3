/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Locks profiles by means of lock files.  */
#define _GNU_SOURCE
#include "libpathrt/file/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "libpathrt/file/folder.h"
#include "libpathrt/process/message.h"
#include "libpathrt/process/open.h"
#include "libpathrt/process/registry.h"
#include "profile/format/system.h"

static int lock_fd = -1;
static bool was_left; /* true if a process that was killed left the lock file behind */

/* ---- waiting ---- */

int pathrt_flock_briefly(int fd) {
  enum { PAUSE = 1 /* ms */ };
  static const struct timespec a_while = {0, PAUSE * 1000000};
  for (int waited = 0; waited < PATHRT_MOST_HELD_BACK; waited += PAUSE) {
    if (pathprof_sys_flock(fd, LOCK_EX | LOCK_NB) == 0)
      return 0;
    if (errno != EWOULDBLOCK && errno != EINTR)
      return -1;
    pathprof_sys_nanosleep(&a_while);
  }
  errno = EWOULDBLOCK;
  return -1;
}

/* Waits for the lock.  Signal handlers can run while this thread is waiting.  If a handler writes the counts or forks,
 * the caller must retry the whole operation.  */
static int wait_for_lock(int fd, const struct pathrt_signals *before) {
  struct pathrt_signals again;
  int result;
  pathrt_registry.interrupted = false;
  if (!before)
    return pathrt_flock_briefly(fd);
  if (pathprof_sys_flock(fd, LOCK_EX | LOCK_NB) == 0)
    return 0;
  pathrt_registry.waiting_fd = fd + 1;
  pathrt_admit_handlers(before);
  do
    result = pathprof_sys_flock(fd, LOCK_EX);
  while (result != 0 && errno == EINTR && !pathrt_registry.interrupted);
  int error = errno;
  pathrt_block_signals(&again);
  pathrt_registry.waiting_fd = 0;
  errno = error;
  return result;
}

/* Creates or opens the lock file.  Other users must be able to open and lock a leftover lock file, because in a
 * directory such as /tmp, only the owner of the file can remove it.  Until fchmod is called, the umask may deny access
 * to other users.  */
static int open_or_make(const char *name, bool *made) {
  static const struct timespec a_while = {0, 1000000};
  for (int tries = 200;; tries--) {
    int fd = pathrt_open(name, O_RDONLY | O_CREAT | O_EXCL, 0666);
    *made = fd >= 0;
    if (fd >= 0)
      pathprof_sys_fchmod(fd, 0644);
    if (fd >= 0 || errno != EEXIST)
      return fd;
    fd = pathrt_open(name, O_RDONLY, 0);
    if (fd >= 0 || (errno != ENOENT && errno != EACCES) || !tries)
      return fd;
    if (errno == EACCES)
      pathprof_sys_nanosleep(&a_while);
  }
}

/* Opens and locks the lock file.  A process removes the lock file before it releases the lock, so the file may no
 * longer have a name after this process has waited for the lock.  In that case, tries again.  If a lock file existed
 * before this call and still has its name after it was locked, it was left behind by a killed process.  */
static int open_lock(const char *name, const struct pathrt_signals *before) {
  for (;;) {
    bool made;
    int fd = open_or_make(name, &made);
    if (fd < 0)
      return fd;
    int result = wait_for_lock(fd, before);
    was_left = !made;
    if (!pathrt_registry.interrupted && result == 0 && pathrt_is_named(fd, name))
      return fd;
    int error = pathrt_registry.interrupted ? EINTR : errno;
    pathprof_sys_close(fd);
    if (result != 0 || pathrt_registry.interrupted) {
      errno = error;
      return -1;
    }
  }
}

/* ---- the lock ---- */

static enum pathrt_locked refuse(const struct pathrt_name *file, const char *what, int error) {
  if (error == EMFILE)
    return PATHRT_NO_DESCRIPTOR;
  if (pathrt_registry.interrupted)
    return PATHRT_INTERRUPTED;
  if (error == pathrt_registry.told_error && pathprof_key(file->text, file->size) == pathrt_registry.told_file)
    return PATHRT_NOT_LOCKED;
  pathrt_error(pathrt_shown(file), ": ", what, " (", pathrt_reason(error), ")", pathrt_way_out(error), NULL);
  return PATHRT_NOT_LOCKED;
}

static const char *lock_name(const struct pathrt_name *file) {
  struct pathrt_name *lock = &pathrt_space.scratch.lock;
  pathrt_name_extend(lock, file, ".lock");
  return lock->too_long ? NULL : lock->text;
}

/* Returns true if enough descriptors are available.  Replacing a file requires up to three descriptors, in addition to
 * those for an orphan and its directory.  */
static bool has_descriptors(void) {
  enum { NEEDED = 6 };
  int fds[NEEDED], n = 0;
  while (n < NEEDED && (fds[n] = pathprof_sys_fcntl(lock_fd, F_DUPFD_CLOEXEC, 3)) >= 0)
    n++;
  bool ok = n == NEEDED;
  while (n > 0)
    pathprof_sys_close(fds[--n]);
  return ok;
}

static bool is_something_else(const char *name) {
  struct stat status;
  return pathprof_sys_lstat(name, &status) == 0 && !S_ISREG(status.st_mode);
}

enum pathrt_locked pathrt_file_lock(const struct pathrt_name *file, const struct pathrt_signals *before) {
  const char *name = lock_name(file);
  pathrt_registry.interrupted = false;
  if (!name)
    return refuse(file, "cannot lock the file", ENAMETOOLONG);
  if (!pathrt_make_folders(file))
    return refuse(file, "cannot create the directory", errno);
  if (is_something_else(file->text)) {
    pathrt_error(pathrt_shown(file), ": not a regular file; the counts are not written", NULL);
    return PATHRT_NOT_LOCKED;
  }
  if (is_something_else(name)) {
    pathrt_error(pathrt_shown(file), ".lock: not a regular file; the counts are not written", NULL);
    return PATHRT_NOT_LOCKED;
  }
  lock_fd = open_lock(name, before);
  if (lock_fd < 0)
    return refuse(file, "cannot lock the file", errno);
  if (!has_descriptors()) {
    pathrt_file_unlock(file);
    return PATHRT_NO_DESCRIPTOR;
  }
  return PATHRT_LOCKED;
}

bool pathrt_lock_was_left(void) {
  return was_left;
}

/* Releases the lock explicitly.  Closing the descriptor does not release the lock if a child that was forked in the
 * meantime has a copy of the descriptor.  */
void pathrt_file_unlock(const struct pathrt_name *file) {
  pathprof_sys_unlink(lock_name(file));
  pathprof_sys_flock(lock_fd, LOCK_UN);
  pathprof_sys_close(lock_fd);
  lock_fd = -1;
}

void pathrt_lock_after_fork(void) {
  if (lock_fd >= 0)
    pathprof_sys_close(lock_fd);
  lock_fd = -1;
}
