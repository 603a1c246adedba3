/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Compares the identity of a process with the data in /proc.  */
#define _GNU_SOURCE
#include "profile/format/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#include "profile/format/system.h"
#include "profile/format/text.h"

/* ---- /proc ---- */

/* Size of the buffers for names and lines.  */
enum { TEXT_SIZE = 512 };

/* Opens /proc/PID/NAME.  */
static int open_of(uint64_t pid, const char *name) {
  char path[64] = "/proc/", digits[24];
  char *digit = digits + sizeof digits - 1;
  *digit = '\0';
  do
    *--digit = (char)('0' + pid % 10);
  while (pid /= 10);
  pathprof_text_append(path, digit, sizeof path);
  pathprof_text_append(path, "/", sizeof path);
  pathprof_text_append(path, name, sizeof path);
  return pathprof_sys_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
}

/* Reads the beginning of the file and closes the file.  Returns false and sets errno if the file cannot be read.  */
static bool read_start(int fd, char text[TEXT_SIZE]) {
  if (fd < 0)
    return false;
  ssize_t n = pathprof_sys_read(fd, text, TEXT_SIZE - 1);
  int error = errno;
  pathprof_sys_close(fd);
  errno = error;
  text[n > 0 ? n : 0] = '\0';
  return n > 0;
}

/* The state of a process, as read from /proc/PID/stat.  */
struct process {
  char state;
  uint64_t num_threads; /* number of threads; includes the main thread even if it has ended */
  uint64_t start_time;
};

/* Parses a line of /proc/PID/stat.  The second field, the name of the program in parentheses, may contain any
 * character.  */
static bool parse(const char *text, struct process *process) {
  enum { STATE = 3, NUM_THREADS = 20, START_TIME = 22 };
  const char *at = pathprof_text_find_last(text, ')');
  bool ok = at && at[1] == ' ';
  if (!ok)
    return false;
  process->state = at[2];
  at++;
  for (int field = STATE; ok && field <= START_TIME; field++) {
    ok = *at == ' ';
    at++;
    if (ok && field == NUM_THREADS)
      ok = pathprof_text_number(at, &at, &process->num_threads);
    else if (ok && field == START_TIME)
      ok = pathprof_text_number(at, &at, &process->start_time);
    else
      while (*at && *at != ' ')
        at++;
  }
  return ok;
}

/* ---- identity ---- */

static uint64_t namespace_of_self(const char *name) {
  struct stat status;
  return pathprof_sys_stat(name, &status) == 0 ? status.st_ino : 0;
}

static int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* Reads a boot ID such as 1b4e28ba-2fa1-11d2-883f-0016d3cca427.  */
static bool read_boot(uint64_t boot[2]) {
  char text[TEXT_SIZE];
  int n = 0;
  boot[0] = boot[1] = 0;
  if (!read_start(pathprof_sys_open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC, 0), text))
    return false;
  for (const char *at = text; *at; at++)
    if (hex_digit(*at) >= 0 && n < 32) {
      boot[n / 16] = boot[n / 16] << 4 | (uint64_t)hex_digit(*at);
      n++;
    }
  return n == 32;
}

/* Returns true if /proc belongs to the PID namespace of this process.  In another namespace, the same process IDs
 * identify other processes.  */
static bool is_proc_ours(void) {
  char text[TEXT_SIZE];
  const char *end;
  uint64_t pid;
  ssize_t n = pathprof_sys_readlink("/proc/self", text, sizeof text - 1);
  if (n <= 0)
    return false;
  text[n] = '\0';
  return pathprof_text_number(text, &end, &pid) && !*end && pid == (uint64_t)pathprof_sys_getpid();
}

void pathprof_identify_owner(struct pathprof_owner *owner) {
  char text[TEXT_SIZE];
  struct process self;
  memset(owner, 0, sizeof *owner);
  if (!read_start(pathprof_sys_open("/proc/self/stat", O_RDONLY | O_CLOEXEC, 0), text) || !parse(text, &self))
    return;
  owner->start_time = self.start_time;
  owner->pid_namespace = namespace_of_self("/proc/self/ns/pid");
  owner->time_namespace = namespace_of_self("/proc/self/ns/time");
  if (owner->pid_namespace && read_boot(owner->boot))
    owner->pid = (uint64_t)pathprof_sys_getpid();
}

/* ---- life ---- */

/* Returns true if a line of /proc/PID/maps ends with the name of a raw file of the process.  Such a name ends with
 * ".PID.raw" or ".PID-N.raw".  */
static bool is_raw_of(const char *line, const char *pid) {
  static const char deleted[] = " (deleted)";
  size_t size = pathprof_text_size(line), mark = sizeof deleted - 1;
  char name[64];
  if (size > mark && pathprof_text_equals(line + size - mark, deleted))
    size -= mark;
  size_t n = size < sizeof name ? size : sizeof name - 1;
  memcpy(name, line + size - n, n);
  name[n] = '\0';
  const char *suffix = pathprof_text_find_last(name, '.');
  if (!suffix || !pathprof_text_equals(suffix, ".raw"))
    return false;
  name[suffix - name] = '\0';
  char *number = pathprof_text_find_last(name, '.');
  if (!number || !pathprof_text_starts(number + 1, pid))
    return false;
  const char *rest = number + 1 + pathprof_text_size(pid);
  return !*rest || *rest == '-';
}

/* Returns true if any line of /proc/PID/maps names a raw file of the process.  Reads /proc/PID/maps in pieces, because
 * a process can have many mappings.  If a line is longer than the buffer, only the end of the line is kept.  */
static bool maps_raw_file(int fd, const char *pid, bool *ok) {
  char line[TEXT_SIZE], piece[TEXT_SIZE];
  size_t size = 0;
  ssize_t n;
  while ((n = pathprof_sys_read(fd, piece, sizeof piece)) > 0)
    for (ssize_t i = 0; i < n; i++) {
      if (piece[i] != '\n') {
        if (size == sizeof line - 1) {
          size /= 2;
          memmove(line, line + sizeof line - 1 - size, size);
        }
        line[size++] = piece[i];
        continue;
      }
      line[size] = '\0';
      size = 0;
      if (is_raw_of(line, pid))
        return true;
    }
  *ok = n == 0;
  return false;
}

/* Returns false only if the process certainly does not map a raw file.  After exec, a process has the same process ID
 * and start time but different mappings.  If the mappings cannot be read, for instance because the process runs with
 * different privileges, returns true.  */
static bool may_map(const struct pathprof_owner *owner) {
  char pid[24], *digit = pid + sizeof pid - 1;
  uint64_t rest = owner->pid;
  bool ok = false;
  int fd = open_of(owner->pid, "maps");
  if (fd < 0)
    return errno != ENOENT && errno != ESRCH;
  *digit = '\0';
  do
    *--digit = (char)('0' + rest % 10);
  while (rest /= 10);
  bool maps = maps_raw_file(fd, digit, &ok);
  pathprof_sys_close(fd);
  return maps || !ok;
}

/* Returns true if all threads of the process have ended.  If the main thread ends first, it is a zombie until the other
 * threads have ended.  The memory of a zombie without other threads has already been released.  */
static bool has_ended(const struct process *process) {
  return process->state == 'X' || process->state == 'x' || (process->state == 'Z' && process->num_threads <= 1);
}

enum pathprof_life pathprof_life_of(const struct pathprof_owner *owner) {
  struct pathprof_owner self;
  struct process process;
  char text[TEXT_SIZE];
  pathprof_identify_owner(&self);
  if (!owner->pid || !self.pid || owner->boot[0] != self.boot[0] || owner->boot[1] != self.boot[1] ||
      owner->pid_namespace != self.pid_namespace || owner->time_namespace != self.time_namespace || !is_proc_ours())
    return PATHPROF_UNKNOWN;
  if (!read_start(open_of(owner->pid, "stat"), text))
    /* If /proc is mounted with hidepid, it does not show the processes of other users.  */
    return (errno == ENOENT || errno == ESRCH) && !pathprof_sys_has_process((pid_t)owner->pid) ? PATHPROF_DEAD
                                                                                               : PATHPROF_UNKNOWN;
  if (!parse(text, &process))
    return PATHPROF_UNKNOWN;
  if (process.start_time != owner->start_time || has_ended(&process))
    return PATHPROF_DEAD;
  return may_map(owner) ? PATHPROF_ALIVE : PATHPROF_DEAD;
}
