/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Opens files without blocking, and never as descriptors 0 to 2.  */
#define _GNU_SOURCE
#include "libpathrt/process/open.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "profile/format/system.h"

static int close_with(int fd, int error) {
  pathprof_sys_close(fd);
  errno = error;
  return -1;
}

/* If another process holds a lease on the file, retries for a short time until the lease is released.  */
static int open_without_waiting(const char *name, int flags, mode_t mode) {
  static const struct timespec a_while = {0, 1000000};
  for (int tries = 200;; tries--) {
    int fd = pathprof_sys_open(name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode);
    if (fd >= 0 || (errno != EINTR && errno != EWOULDBLOCK) || !tries)
      return fd;
    pathprof_sys_nanosleep(&a_while);
  }
}

bool pathrt_is_named(int fd, const char *name) {
  struct stat opened, named;
  return pathprof_sys_fstat(fd, &opened) == 0 && pathprof_sys_lstat(name, &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

int pathrt_open(const char *name, int flags, mode_t mode) {
  enum { FIRST_FD = 3 };
  int fd = open_without_waiting(name, flags, mode);
  struct stat status;
  if (fd < 0 || pathprof_sys_fstat(fd, &status) != 0)
    return fd;
  if (!S_ISREG(status.st_mode) && !(flags & O_DIRECTORY))
    return close_with(fd, PATHRT_NOT_REGULAR);
  if ((flags & O_EXCL) && (status.st_mode & 0600) != 0600)
    pathprof_sys_fchmod(fd, (status.st_mode & 0777) | 0600);
  if (fd >= FIRST_FD)
    return fd;
  int higher = pathprof_sys_fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);
  int error = errno;
  pathprof_sys_close(fd);
  errno = error;
  return higher;
}
