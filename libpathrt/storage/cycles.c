/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Measures the cost of reading the clock for metric=tsc.  */
#include "libpathrt/storage/cycles.h"

#include <fcntl.h>
#include <stdbool.h>

#include "libpathrt/process/open.h"
#include "profile/format/system.h"
#include "profile/format/wide.h"

uint64_t __pathrt_reading;

#if defined __x86_64__ || defined __i386__
static inline uint64_t read_time_stamp(void) {
  return __builtin_ia32_rdtsc();
}
#define HAS_TIME_STAMPS
#elif defined __aarch64__ || defined __riscv || defined __powerpc64__ || defined __s390x__
static inline uint64_t read_time_stamp(void) {
  uint64_t now;
#if defined __aarch64__
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
#elif defined __riscv
  __asm__ volatile("rdtime %0" : "=r"(now));
#elif defined __powerpc64__
  __asm__ volatile("mftb %0" : "=r"(now));
#else
  __asm__ volatile("stckf %0" : "=Q"(now) : : "cc");
#endif
  return now;
}
#define HAS_TIME_STAMPS
#endif

#ifdef HAS_TIME_STAMPS

/* The time-stamp counter's resolution is too low to measure a single empty path, so many paths are measured
 * together.  */
enum { PATHS = 256, SAMPLES = 65 };

static uint64_t read_clock(void) {
  static volatile uint64_t callees;
  return read_time_stamp() - callees;
}

/* Simulates instrumented code that executes many empty paths, and returns the total number of measured cycles.  */
static uint64_t time_empty_paths(void) {
  volatile uint64_t count = 0, cycles = 0;
  uint64_t start = read_clock();
  for (int i = 0; i < PATHS; i++) {
    uint64_t now = read_clock();
    int64_t spent = (int64_t)(now - start);
    count = count + 1; // in memory, like a counter
    cycles += spent > 0 ? (uint64_t)spent : 0;
    start = now;
  }
  return cycles;
}

static void insert(uint64_t *sorted, int n, uint64_t value) {
  for (; n > 0 && sorted[n - 1] > value; n--)
    sorted[n] = sorted[n - 1];
  sorted[n] = value;
}

/* Returns the median of several measurements, because interrupts disturb some of them.  */
static uint64_t find_cost(void) {
  uint64_t samples[SAMPLES];
  for (int i = 0; i < SAMPLES; i++)
    insert(samples, i, time_empty_paths());
  return samples[SAMPLES / 2] * 256 / PATHS;
}

#else

static uint64_t find_cost(void) {
  return 0;
}

#endif

uint64_t pathrt_cost_of_cycles(void) {
  static bool is_known;
  static uint64_t cost;
  if (!is_known)
    cost = find_cost();
  is_known = true;
  return cost;
}

/* Parses a number and advances `*text`.  Returns 0 if there is no number.  */
static uint64_t next_number(const char **text) {
  uint64_t number = 0;
  while (**text == ' ')
    ++*text;
  for (; **text >= '0' && **text <= '9'; ++*text)
    if (__builtin_mul_overflow(number, 10u, &number) ||
        __builtin_add_overflow(number, (uint64_t)(**text - '0'), &number))
      return 0;
  return number;
}

uint64_t pathrt_stretch_of(const char *schedstat) {
  enum { ALONE = 256, MOST = 64 * 256 };
  const uint64_t least = 5000000; /* nanoseconds; a few time slices */
  uint64_t running = next_number(&schedstat), waiting = next_number(&schedstat);
  if (running < least)
    return ALONE;
  uint64_t stretch = waiting / running < MOST / ALONE ? ALONE + pathprof_scaled(waiting, ALONE, running) : MOST;
  return stretch > MOST ? MOST : stretch;
}

/* Returns the stretch of the main thread.  */
static uint64_t stretch_here(void) {
  char text[128];
  int fd = pathrt_open("/proc/self/schedstat", O_RDONLY | O_NONBLOCK, 0);
  if (fd < 0)
    return pathrt_stretch_of("");
  ssize_t n = pathprof_sys_read(fd, text, sizeof text - 1);
  pathprof_sys_close(fd);
  text[n > 0 ? n : 0] = '\0';
  return pathrt_stretch_of(text);
}

uint64_t pathrt_cost_in_place(void) {
  uint64_t cost = pathrt_cost_of_cycles();
  return cost ? cost * stretch_here() / 256 : 0;
}

void pathrt_cycles_start(void) {
  __pathrt_reading = pathrt_cost_of_cycles() / 256;
}
