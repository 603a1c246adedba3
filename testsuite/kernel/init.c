// SPDX-License-Identifier: GPL-3.0-or-later
// The first process of the kernel in testsuite/kernel/run. The argument selects one of the tasks at the end of this
// file. Each task uses the kernel and sends counters and other results to the second serial port. Each transfer
// consists of the line "BEGIN NAME SIZE", of runs that contain SIZE bytes, and of the line "END NAME". A run is a
// number of zeros, a number of other bytes, and these bytes. Most counters are zero, and the serial port is slow.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <x86intrin.h>

#define DEBUGFS "/debug"
#define RAW DEBUGFS "/pathprof/raw"

enum { NUM_SYSTEM_CALLS = 1234, NUM_MODULE_CALLS = 77 };
enum { RAM_MAJOR = 1, MEM_MAJOR = 1, ZERO = 5, TTY_MAJOR = 4, SECOND_SERIAL_PORT = 65, MISC_MAJOR = 10, TUN = 200 };

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

static void load_module(const char *name, const char *arguments) {
  int file = open(name, O_RDONLY);
  if (file < 0 || syscall(SYS_finit_module, file, arguments, 0) != 0)
    fail(name);
  close(file);
}

static void unload_module(const char *name) {
  if (syscall(SYS_delete_module, name, 0) != 0)
    fail(name);
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

// Executes the shell script /first-report, and sends the file /tmp/raw that it creates.
static void send_first_report(void) {
  pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-e", "/first-report", NULL);
    _exit(1);
  }
  int status;
  if (waitpid(child, &status, 0) != child || status != 0)
    fail("/first-report");
  send_file("first", "/tmp/raw");
}

static void fill(char *data, size_t size, unsigned seed) {
  for (size_t i = 0; i < size; i++)
    data[i] = (char)(i * (seed + 1) >> 3);
}

static void write_file(const char *name, const void *data, size_t size) {
  int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || write(file, data, size) != (ssize_t)size || fsync(file) != 0)
    fail(name);
  close(file);
}

static size_t read_file(const char *name, void *data, size_t size) {
  int file = open(name, O_RDONLY);
  ssize_t done = file < 0 ? -1 : read(file, data, size);
  if (done < 0)
    fail(name);
  close(file);
  return (size_t)done;
}

// Copies the file system in /ext4.image to a RAM disk and mounts it. Writes, renames, reads and deletes files, and
// mounts the file system a second time to read a file that was written before.
static void use_ext4(void) {
  enum { NUM_FILES = 20, IMAGE_SIZE = 4 << 20, FILE_SIZE = 50000 };
  static char image[IMAGE_SIZE], written[FILE_SIZE], found[FILE_SIZE];
  mknod("/ram", S_IFBLK | 0600, makedev(RAM_MAJOR, 0));
  mkdir("/ext4", 0700);
  write_file("/ram", image, read_file("/ext4.image", image, sizeof image));
  if (mount("/ram", "/ext4", "ext4", 0, NULL) != 0)
    fail("mount ext4");
  for (int i = 0; i < NUM_FILES; i++) {
    char name[64], renamed[64];
    snprintf(name, sizeof name, "/ext4/%d", i);
    snprintf(renamed, sizeof renamed, "/ext4/renamed-%d", i);
    fill(written, sizeof written, (unsigned)i);
    write_file(name, written, sizeof written);
    if (rename(name, renamed) != 0 || (i > 0 && unlink(renamed) != 0))
      fail(renamed);
  }
  if (umount("/ext4") != 0 || mount("/ram", "/ext4", "ext4", 0, NULL) != 0)
    fail("mount ext4 again");
  fill(written, sizeof written, 0);
  if (read_file("/ext4/renamed-0", found, sizeof found) != sizeof found || memcmp(written, found, sizeof found) != 0)
    fail("contents of a file on ext4");
  umount("/ext4");
}

static void start_loopback(int any_socket) {
  struct ifreq request = {.ifr_name = "lo"};
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  memcpy(&request.ifr_addr, &address, sizeof address);
  if (ioctl(any_socket, SIOCSIFADDR, &request) != 0)
    fail("address of lo");
  request.ifr_flags = IFF_UP;
  if (ioctl(any_socket, SIOCSIFFLAGS, &request) != 0)
    fail("lo");
}

// Sends data from one process to another through a TCP connection to 127.0.0.1.
static void use_loopback(void) {
  enum { SIZE = 300000 };
  static char sent[SIZE], received[SIZE];
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t address_size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (listener < 0)
    fail("socket");
  start_loopback(listener);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &address_size) != 0)
    fail("bind");
  fill(sent, sizeof sent, 1);
  pid_t child = fork();
  if (child == 0) {
    int sender = socket(AF_INET, SOCK_STREAM, 0);
    _exit(connect(sender, (struct sockaddr *)&address, sizeof address) != 0 || write(sender, sent, SIZE) != SIZE);
  }
  int receiver = accept(listener, NULL, NULL);
  if (receiver < 0 || recv(receiver, received, SIZE, MSG_WAITALL) != SIZE || memcmp(sent, received, SIZE) != 0)
    fail("data through a socket");
  int status;
  if (waitpid(child, &status, 0) != child || status != 0)
    fail("sender");
  close(receiver);
  close(listener);
}

// Loads the module tun and creates a network interface.
static void use_tun(void) {
  load_module("/tun.ko", "");
  mknod("/tun", S_IFCHR | 0600, makedev(MISC_MAJOR, TUN));
  int file = open("/tun", O_RDWR);
  struct ifreq request = {.ifr_name = "test%d", .ifr_flags = IFF_TUN | IFF_NO_PI};
  if (file < 0 || ioctl(file, TUNSETIFF, &request) != 0)
    fail("tun");
  close(file);
}

// ---- measured calls ----

static int zero;

static void call_getppid(void) {
  syscall(SYS_getppid);
}

static void read_zero(void) {
  char data[64];
  if (read(zero, data, sizeof data) != sizeof data)
    fail("/zero");
}

static void open_and_close(void) {
  close(open("/zero", O_RDONLY));
}

static void fork_and_wait(void) {
  pid_t child = fork();
  if (child == 0)
    _exit(0);
  waitpid(child, NULL, 0);
}

// Returns the smallest number of ticks of the time stamp counter for `calls` calls in several rounds. With QEMU's
// option -icount shift=0, each instruction is one tick. The clock interrupts some rounds.
static uint64_t measure(void (*call)(void), int calls) {
  enum { NUM_ROUNDS = 9 };
  uint64_t least = UINT64_MAX;
  for (int round = 0; round < NUM_ROUNDS; round++) {
    uint64_t start = __rdtsc();
    for (int i = 0; i < calls; i++)
      call();
    uint64_t ticks = __rdtsc() - start;
    if (ticks < least)
      least = ticks;
  }
  return least;
}

// ---- tasks ----

// Sends the counters after the start. Measures the time from the reset of the machine to the first process, and the
// costs of system calls.
static void measure_kernel(uint64_t start) {
  if (access(RAW, F_OK) == 0)
    send_file("start", RAW);
  mknod("/zero", S_IFCHR | 0600, makedev(MEM_MAJOR, ZERO));
  zero = open("/zero", O_RDONLY);
  char results[512];
  snprintf(results, sizeof results, "boot %lu\ngetppid %lu\nread %lu\nopen+close %lu\nfork+exit+wait %lu\n", start,
           measure(call_getppid, 200), measure(read_zero, 200), measure(open_and_close, 100),
           measure(fork_and_wait, 1));
  write_file("/results", results, strlen(results));
  send_file("measured", "/results");
}

// Sends the counters after the kernel's own tests, uses file systems, sockets and a module, and executes the tests in
// the module missing_test.ko. An uninstrumented kernel executes the same code.
static void use_kernel(void) {
  int is_instrumented = access(RAW, F_OK) == 0;
  if (is_instrumented)
    send_file("kunit", RAW);
  use_ext4();
  use_loopback();
  use_tun();
  if (is_instrumented)
    send_file("workload", RAW);
  load_module("/missing_test.ko", "");
  if (is_instrumented)
    send_file("more-tests", RAW);
}

// Sends the counters after the start, also as the shell script in the documentation copies them. Executes a known
// number of system calls and calls of a module, and sends the counters again.
static void check_counts(void) {
  send_first_report();
  send_file("boot", RAW);
  send_gcov();
  send_file("after-gcov", RAW);
  reset();
  call_system();
  char arguments[32];
  snprintf(arguments, sizeof arguments, "calls=%d", NUM_MODULE_CALLS);
  load_module("/known.ko", arguments);
  send_file("loaded", RAW);
  unload_module("known");
  load_module("/known.ko", "calls=3");
  unload_module("known");
  send_file("unloaded", RAW);
  reset();
  send_file("reset", RAW);
}

int main(int number, char **arguments) {
  uint64_t start = __rdtsc();
  const char *task = number > 1 ? arguments[1] : "counts";
  mkdir("/sys", 0700);
  mount("sysfs", "/sys", "sysfs", 0, NULL);
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

  if (strcmp(task, "measure") == 0)
    measure_kernel(start);
  else if (strcmp(task, "kunit") == 0)
    use_kernel();
  else
    check_counts();
  send_line("DONE\n");
  tcdrain(port);
  reboot(RB_AUTOBOOT);
}
