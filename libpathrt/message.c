/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Lines on stderr.  */
#define _GNU_SOURCE
#include "libpathrt/message.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "libpathrt/registry.h"
#include "libpathrt/signals.h"

enum { MAX_PARTS = 24 };

/* A program may have closed its standard error and opened a file of its own as descriptor 2, which
 * no message may end up in.  */
static bool is_stderr(void) {
  struct stat status;
  if (!pathrt_registry.started)
    return true;
  return pathrt_registry.has_stderr && fstat(STDERR_FILENO, &status) == 0 &&
         status.st_dev == pathrt_registry.stderr_device && status.st_ino == pathrt_registry.stderr_inode;
}

/* A line that cannot be written is lost: nothing may happen to the program because of it.  */
static void write_line(int fd, const char *prefix, const char *part, va_list more) {
  struct iovec parts[MAX_PARTS + 2];
  int n = 0;
  parts[n++] = (struct iovec){(void *)prefix, strlen(prefix)};
  for (; part && n < MAX_PARTS + 1; part = va_arg(more, const char *))
    parts[n++] = (struct iovec){(void *)part, strlen(part)};
  parts[n++] = (struct iovec){(void *)"\n", 1};
  struct pathrt_signals signals;
  pathrt_block_signals(&signals);
  ssize_t ignored = writev(fd, parts, n);
  (void)ignored;
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

const char *pathrt_reason(int error) {
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 32)
  const char *reason = strerrordesc_np(error);
#else
  const char *reason = strerror(error);
#endif
  return reason ? reason : "unknown error";
}

const char *pathrt_decimal(char buffer[PATHRT_DECIMAL_SIZE], uint64_t value) {
  char *at = buffer + PATHRT_DECIMAL_SIZE - 1;
  *at = '\0';
  do
    *--at = (char)('0' + value % 10);
  while (value /= 10);
  return memmove(buffer, at, (size_t)(buffer + PATHRT_DECIMAL_SIZE - at));
}
