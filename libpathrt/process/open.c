/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#define _GNU_SOURCE
#include "libpathrt/process/open.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int close_with(int fd, int error) {
  close(fd);
  errno = error;
  return -1;
}

/* Somebody's lease on the file is soon over, or its holder has been told.  */
static int open_without_waiting(const char *name, int flags, mode_t mode) {
  static const struct timespec a_while = {0, 1000000};
  for (int tries = 200;; tries--) {
    int fd = open(name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, mode);
    if (fd >= 0 || (errno != EINTR && errno != EWOULDBLOCK) || !tries)
      return fd;
    nanosleep(&a_while, NULL);
  }
}

bool pathrt_is_named(int fd, const char *name) {
  struct stat opened, named;
  return fstat(fd, &opened) == 0 && lstat(name, &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

int pathrt_open(const char *name, int flags, mode_t mode) {
  enum { FIRST_FD = 3 };
  int fd = open_without_waiting(name, flags, mode);
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0)
    return fd;
  if (!S_ISREG(status.st_mode) && !(flags & O_DIRECTORY))
    return close_with(fd, PATHRT_NOT_REGULAR);
  if ((flags & O_EXCL) && (status.st_mode & 0600) != 0600)
    fchmod(fd, (status.st_mode & 0777) | 0600);
  if (fd >= FIRST_FD)
    return fd;
  int higher = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FD);
  int error = errno;
  close(fd);
  errno = error;
  return higher;
}
