// SPDX-License-Identifier: GPL-3.0-or-later
// The first process of the kernel in testsuite/kernel/run. Executes a known number of system calls and calls of a
// module, and sends counters of the kernel to the second serial port. Each transfer consists of the line "BEGIN NAME
// SIZE", of runs that contain SIZE bytes, and of the line "END NAME". A run is a number of zeros, a number of other
// bytes, and these bytes. Most counters are zero, and the serial port is slow.
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define DEBUGFS "/debug"
#define RAW DEBUGFS "/pathprof/raw"

enum { NUM_SYSTEM_CALLS = 1234, NUM_MODULE_CALLS = 77, TTY_MAJOR = 4, SECOND_SERIAL_PORT = 65 };

static int port;

// Prints a message and powers off. The host detects that the last transfer is missing.
static void fail(const char *what) {
  perror(what);
  reboot(RB_AUTOBOOT);
}

static void send_bytes(const void *data, size_t size) {
  const char *at = data;
  while (size) {
    ssize_t sent = write(port, at, size);
    if (sent <= 0)
      fail("write");
    at += sent;
    size -= (size_t)sent;
  }
}

static void send_line(const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  send_bytes(line, (size_t)size);
}

static size_t zeros_at(const char *data, size_t size) {
  size_t zeros = 0;
  while (zeros < size && !data[zeros])
    zeros++;
  return zeros;
}

static void send_runs(const char *data, size_t size) {
  enum { MIN_ZEROS = 8 };
  while (size) {
    uint32_t run[2] = {zeros_at(data, size), 0};
    data += run[0];
    size -= run[0];
    while (run[1] < size && zeros_at(data + run[1], size - run[1]) < MIN_ZEROS)
      run[1]++;
    send_bytes(run, sizeof run);
    send_bytes(data, run[1]);
    data += run[1];
    size -= run[1];
  }
}

// Sends the contents of a file as a transfer.
static void send_file(const char *name, const char *file) {
  static char *data;
  static size_t capacity;
  size_t size = 0;
  int source = open(file, O_RDONLY);
  if (source < 0)
    fail(file);
  for (;;) {
    if (size == capacity) {
      capacity += 1 << 20;
      data = realloc(data, capacity);
    }
    ssize_t done = read(source, data + size, capacity - size);
    if (done < 0)
      fail(file);
    if (done == 0)
      break;
    size += (size_t)done;
  }
  close(source);
  send_line("BEGIN %s %zu\n", name, size);
  send_runs(data, size);
  send_line("END %s\n", name);
}

static void reset(void) {
  int file = open(DEBUGFS "/pathprof/reset", O_WRONLY);
  if (file < 0 || write(file, "1", 1) != 1)
    fail("reset");
  close(file);
}

static void load_module(const char *arguments) {
  int file = open("/known.ko", O_RDONLY);
  if (file < 0 || syscall(SYS_finit_module, file, arguments, 0) != 0)
    fail("known.ko");
  close(file);
}

static void unload_module(void) {
  if (syscall(SYS_delete_module, "known", 0) != 0)
    fail("delete_module");
}

// Two processes execute the same system calls at the same time, so that atomic counters are necessary.
static void call_system(void) {
  pid_t child = fork();
  for (int i = 0; i < NUM_SYSTEM_CALLS; i++)
    syscall(SYS_getppid);
  if (child == 0)
    _exit(0);
  waitpid(child, NULL, 0);
}

// Sends the .gcda files below DEBUGFS/gcov that the file gcov.list of the initramfs names, one per line. gcov has no
// .gcda file for a source file without functions.
static void send_gcov(void) {
  char line[512];
  FILE *list = fopen("/gcov.list", "r");
  while (list && fgets(line, sizeof line, list)) {
    line[strcspn(line, "\n")] = '\0';
    if (access(line, F_OK) == 0)
      send_file(line, line);
  }
}

int main(void) {
  mkdir(DEBUGFS, 0700);
  if (mount("debugfs", DEBUGFS, "debugfs", 0, NULL) != 0)
    fail("debugfs");
  mknod("/port", S_IFCHR | 0600, makedev(TTY_MAJOR, SECOND_SERIAL_PORT));
  port = open("/port", O_RDWR | O_NOCTTY);
  struct termios settings;
  if (port < 0 || tcgetattr(port, &settings) != 0)
    fail("/port");
  cfmakeraw(&settings);
  tcsetattr(port, TCSANOW, &settings);

  send_file("boot", RAW);
  send_gcov();
  send_file("after-gcov", RAW);
  reset();
  call_system();
  char arguments[32];
  snprintf(arguments, sizeof arguments, "calls=%d", NUM_MODULE_CALLS);
  load_module(arguments);
  send_file("loaded", RAW);
  unload_module();
  load_module("calls=3");
  unload_module();
  send_file("unloaded", RAW);
  reset();
  send_file("reset", RAW);
  send_line("DONE\n");
  tcdrain(port);
  reboot(RB_AUTOBOOT);
}
