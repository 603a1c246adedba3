/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#include "libpathrt/cycles.h"

#include <stdbool.h>

uint64_t __pathrt_reading;

#ifdef __x86_64__

/* The counter moves in steps of many cycles, so that one empty path says little.  */
enum { PATHS = 256, ROUNDS = 65 };

static uint64_t read_clock(void) {
  static volatile uint64_t callees;
  return __builtin_ia32_rdtsc() - callees;
}

/* What instrumented code does around a loop, with nothing in it.  */
static uint64_t time_empty_paths(void) {
  volatile uint64_t count = 0, cycles = 0;
  uint64_t start = read_clock();
  for (int i = 0; i < PATHS; i++) {
    uint64_t now = read_clock();
    int64_t spent = (int64_t)(now - start);
    count++;
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

/* The median: some rounds were interrupted.  */
static uint64_t find_cost(void) {
  uint64_t rounds[ROUNDS];
  for (int i = 0; i < ROUNDS; i++)
    insert(rounds, i, time_empty_paths());
  return rounds[ROUNDS / 2] * 256 / PATHS;
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

void pathrt_cycles_start(void) {
  __pathrt_reading = pathrt_cost_of_cycles() / 256;
}
