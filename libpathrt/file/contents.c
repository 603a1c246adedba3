/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reads and writes whole files.  */
#define _GNU_SOURCE
#include "libpathrt/file/contents.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>

#include "libpathrt/process/message.h"
#include "libpathrt/process/open.h"
#include "profile/format/image.h"
#include "profile/format/raw.h"
#include "profile/format/system.h"

/* Reads the file up to the offset `end`.  The file is not mapped, because another process could then kill this process
 * by truncating the file.  */
static bool read_up_to(int fd, struct pathprof_buffer *bytes, uint64_t end) {
  while (bytes->size < end) {
    unsigned char *to = end > SIZE_MAX ? NULL : pathprof_reserve(bytes, (size_t)end - bytes->size);
    if (!to) {
      errno = ENOMEM;
      return false;
    }
    ssize_t n = pathprof_sys_read(fd, to, (size_t)end - bytes->size);
    if (n == 0)
      return true;
    if (n > 0)
      bytes->size += (size_t)n;
    else if (errno != EINTR)
      return false;
  }
  return true;
}

/* Enlarges the buffer, which already contains the beginning of the file, to the size of the whole file.  */
static void make_room(struct pathprof_buffer *bytes, uint64_t size) {
  struct pathprof_buffer all = {0};
  if (size <= bytes->capacity || size > SIZE_MAX)
    return;
  pathprof_expect(&all, (size_t)size);
  if (!all.data)
    return;
  pathprof_put_bytes(&all, bytes->data, bytes->size);
  pathprof_buffer_free(bytes);
  *bytes = all;
}

bool pathrt_read_profile(int fd, struct pathprof_buffer *bytes) {
  enum { FIRST = 4096 };
  struct stat status;
  if (pathprof_sys_fstat(fd, &status) != 0)
    return false;
  uint64_t size = (uint64_t)status.st_size;
  if (!read_up_to(fd, bytes, size < FIRST ? size : FIRST))
    return false;
  bool is_ours = pathprof_is_raw(bytes->data, bytes->size) || pathprof_may_be_image(bytes->data, bytes->size, size);
  if (!is_ours)
    return true;
  make_room(bytes, size);
  return read_up_to(fd, bytes, size);
}

enum pathrt_found pathrt_read_file(const struct pathrt_name *file, struct pathprof_buffer *bytes,
                                   struct pathrt_rights *rights) {
  struct stat status;
  int fd = pathrt_open(file->text, O_RDONLY, 0);
  if (fd < 0)
    return errno == ENOENT ? PATHRT_ABSENT : PATHRT_UNREADABLE;
  bool ok = pathprof_sys_fstat(fd, &status) == 0 && pathrt_read_profile(fd, bytes);
  int error = errno;
  pathprof_sys_close(fd);
  errno = error;
  if (ok)
    *rights = (struct pathrt_rights){status.st_mode & 0777, status.st_uid, status.st_gid};
  return ok ? PATHRT_READ : PATHRT_UNREADABLE;
}

bool pathrt_write_all(int fd, const unsigned char *data, size_t size) {
  while (size) {
    ssize_t n = pathprof_sys_write(fd, data, size);
    if (n > 0) {
      data += n;
      size -= (size_t)n;
    } else if (n == 0) {
      errno = ENOSPC;
      return false;
    } else if (errno != EINTR)
      return false;
  }
  return true;
}

static bool expects_refusal, was_refused;

void pathrt_expect_refusal(void) {
  expects_refusal = true;
  was_refused = false;
}

bool pathrt_was_refused(void) {
  expects_refusal = false;
  return was_refused;
}

bool pathrt_cannot(const struct pathrt_name *file, const char *what, int error) {
  bool is_refusal = expects_refusal && (error == EACCES || error == EPERM);
  was_refused |= is_refusal;
  if (is_refusal)
    return false;
  pathrt_error(pathrt_shown(file), ": ", what, " (", pathrt_reason(error), ")", pathrt_way_out(error), NULL);
  return false;
}
