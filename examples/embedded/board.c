// SPDX-License-Identifier: GPL-3.0-or-later
/* The board: start-up code, and delivery of the counters.  This board is a process of Linux on x86-64 that uses only system
 * calls.  For other boards, replace this file; doc/embedded.md contains examples.  */
#include <pathrt_freestanding.h>

#include "tests.h"

static long system_call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}

static void put(const void *data, size_t size) {
  system_call(1 /* write */, 1, (long)data, (long)size);
}

__attribute__((force_align_arg_pointer, noreturn)) void _start(void) {
  pathrt_clear();
  int failures = run_tests();
  pathrt_write(put);
  for (;;)
    system_call(60 /* exit */, failures, 0, 0);
}

/* GCC can call this function in freestanding programs.  */
void *memset(void *to, int byte, size_t size) {
  for (unsigned char *at = to; size; size--) {
    *at++ = (unsigned char)byte;
    __asm__ volatile("");
  }
  return to;
}
