/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Writes messages to stderr without stdio or malloc.  */
#define _GNU_SOURCE
#include "libpathrt/process/message.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "libpathrt/process/name.h"
#include "libpathrt/process/registry.h"
#include "libpathrt/process/signals.h"
#include "profile/format/system.h"
#include "profile/format/text.h"

enum { MAX_PARTS = 64 };

/* Returns true if descriptor 2 is still the original stderr.  If the program has closed stderr, descriptor 2 may refer
 * to another file, and messages must not be written to that file.  */
static bool is_stderr(void) {
  struct stat status;
  if (!pathrt_registry.started)
    return true;
  if (!pathrt_registry.has_stderr || pathrt_registry.restricted)
    return false;
  if (pathprof_sys_fstat(STDERR_FILENO, &status) != 0)
    return errno != EBADF; /* a system call filter may forbid fstat */
  return status.st_dev == pathrt_registry.stderr_device && status.st_ino == pathrt_registry.stderr_inode;
}

/* Waits until the descriptor can accept a line.  A full pipe whose reader is stuck might never accept a line.  Because
 * signals may be blocked, this function waits at most PATHRT_MOST_HELD_BACK, and only once per process.  */
static bool can_take_a_line(int fd) {
  static bool has_waited;
  struct pollfd state = {fd, POLLOUT, 0};
  if (pathrt_registry.restricted)
    return true;
  int ready = pathprof_sys_poll(&state, 1, has_waited ? 0 : PATHRT_MOST_HELD_BACK);
  has_waited |= ready == 0;
  return ready != 0;
}

/* If the text starts with a control character, returns the length of that character; otherwise, returns 0.  The text is
 * in UTF-8.  Control characters include ASCII and C1 controls and characters that change the text direction.  */
static size_t control_size(const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  if (at[0] == 0xc2)
    return at[1] >= 0x80 && at[1] < 0xa0 ? 2 : 0;
  if (at[0] == 0xd8)
    return at[1] == 0x9c ? 2 : 0;
  if (at[0] == 0xe2 && at[1] == 0x80)
    return at[2] == 0x8e || at[2] == 0x8f || (at[2] >= 0xa8 && at[2] <= 0xae) ? 3 : 0;
  if (at[0] == 0xe2 && at[1] == 0x81)
    return at[2] >= 0xa6 && at[2] <= 0xa9 ? 3 : 0;
  return at[0] && (at[0] < 0x20 || at[0] == 0x7f);
}

/* Replaces each control character with a question mark, because file and function names are untrusted and messages may
 * be printed on a terminal.  Truncates messages that need more than MAX_PARTS parts.  */
static int add_visible(struct iovec *parts, int n, const char *text) {
  while (*text && n < MAX_PARTS) {
    size_t size = 0, control = control_size(text);
    while (text[size] && !control_size(text + size))
      size++;
    parts[n++] = control ? (struct iovec){(void *)"?", 1} : (struct iovec){(void *)text, size};
    text += control ? control : size;
  }
  return n;
}

/* Writes the line with a single system call, so that lines from several processes are not interleaved.  If writev
 * fails, calls write for each part, because a system call filter may forbid writev.  */
static void write_parts(int fd, const struct iovec *parts, int n) {
  ssize_t written = pathprof_sys_writev(fd, parts, n);
  for (int i = 0; i < n && written < 0; i++)
    if (pathprof_sys_write(fd, parts[i].iov_base, parts[i].iov_len) < 0)
      return;
}

/* Writes a line.  Ignores write errors, because they must not affect the program.  */
static void write_line(int fd, const char *prefix, const char *part, va_list more) {
  struct iovec parts[MAX_PARTS + 1];
  int n = add_visible(parts, 0, prefix);
  for (; part; part = va_arg(more, const char *))
    n = add_visible(parts, n, part);
  parts[n++] = (struct iovec){(void *)"\n", 1};
  struct pathrt_signals signals;
  if (!pathrt_registry.restricted)
    pathrt_block_signals(&signals);
  if (can_take_a_line(fd))
    write_parts(fd, parts, n);
  if (!pathrt_registry.restricted)
    pathrt_restore_signals(&signals);
}

void pathrt_error(const char *part, ...) {
  va_list more;
  va_start(more, part);
  if (is_stderr())
    write_line(STDERR_FILENO, "pathrt: error: ", part, more);
  va_end(more);
}

void pathrt_note(const char *part, ...) {
  va_list more;
  va_start(more, part);
  if (is_stderr())
    write_line(STDERR_FILENO, "pathrt: note: ", part, more);
  va_end(more);
}

void pathrt_print(int fd, const char *part, ...) {
  va_list more;
  va_start(more, part);
  write_line(fd, "", part, more);
  va_end(more);
}

/* The described errno values.  Most descriptions are the same as in glibc.  The descriptions are stored in one string,
 * because an array of pointers would be relocated in each program.  */
#define DESCRIPTIONS(DESCRIBE)                                                                                         \
  DESCRIBE(EPERM, "Operation not permitted")                                                                           \
  DESCRIBE(ENOENT, "No such file or directory")                                                                        \
  DESCRIBE(EINTR, "Interrupted system call")                                                                           \
  DESCRIBE(EIO, "Input/output error")                                                                                  \
  DESCRIBE(EBADF, "Bad file descriptor")                                                                               \
  DESCRIBE(EAGAIN, "Resource temporarily unavailable")                                                                 \
  DESCRIBE(ENOMEM, "Cannot allocate memory")                                                                           \
  DESCRIBE(EACCES, "Permission denied")                                                                                \
  DESCRIBE(EBUSY, "Device or resource busy")                                                                           \
  DESCRIBE(EEXIST, "File exists")                                                                                      \
  DESCRIBE(EXDEV, "Invalid cross-device link")                                                                         \
  DESCRIBE(ENODEV, "No such device")                                                                                   \
  DESCRIBE(ENOTDIR, "Not a directory")                                                                                 \
  DESCRIBE(EISDIR, "Is a directory")                                                                                   \
  DESCRIBE(EINVAL, "Invalid argument")                                                                                 \
  DESCRIBE(ENFILE, "Too many open files in system")                                                                    \
  DESCRIBE(EMFILE, "Too many open files")                                                                              \
  DESCRIBE(ETXTBSY, "Text file busy")                                                                                  \
  DESCRIBE(EFBIG, "File too large")                                                                                    \
  DESCRIBE(ENOSPC, "No space left on device")                                                                          \
  DESCRIBE(EROFS, "Read-only file system")                                                                             \
  DESCRIBE(EMLINK, "Too many links")                                                                                   \
  DESCRIBE(EPIPE, "Broken pipe")                                                                                       \
  DESCRIBE(ENAMETOOLONG, "File name too long")                                                                         \
  DESCRIBE(ENOLCK, "No locks available")                                                                               \
  DESCRIBE(ENOSYS, "System call not available")                                                                        \
  DESCRIBE(ELOOP, "Too many levels of symbolic links")                                                                 \
  DESCRIBE(EOVERFLOW, "Value too large for defined data type")                                                         \
  DESCRIBE(EOPNOTSUPP, "Operation not supported")                                                                      \
  DESCRIBE(ETIMEDOUT, "Connection timed out")                                                                          \
  DESCRIBE(ESTALE, "Stale file handle")                                                                                \
  DESCRIBE(EDQUOT, "Disk quota exceeded")
#define ERROR_OF(error, text) error,
#define TEXT_OF(error, text) text "\0"

/* Returns the description of an errno value.  */
const char *pathrt_reason(int error) {
  static const unsigned short errors[] = {DESCRIPTIONS(ERROR_OF)};
  static const char texts[] = DESCRIPTIONS(TEXT_OF);
  static char other[sizeof "error " + PATHRT_DECIMAL_SIZE] = "error ";
  const char *text = texts;
  for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
    if (errors[i] == error)
      return text;
    text += pathprof_text_size(text) + 1;
  }
  pathrt_decimal(other + sizeof "error " - 1, (uint64_t)error);
  return other;
}

const char *pathrt_way_out(int error) {
  bool is_forbidden = error == EACCES || error == EPERM || error == EROFS;
  return is_forbidden ? "; set PATHPROF_FILE to a writable file" : "";
}
