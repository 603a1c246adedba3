/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the seeds of the fuzzer's corpus are profiles of: loops in loops, a switch, recursion, calls through a pointer,
 * a call that does not return.  With an argument the program ends as if it had crashed.  */
#include <signal.h>
#include <stdlib.h>

static volatile int sink;

__attribute__((noinline)) static int step(int state, int input) {
  switch (state) {
  case 0:
    return input % 3;
  case 1:
    return input & 1 ? 2 : 0;
  case 2:
    return input > 5 ? 3 : 1;
  default:
    return 0;
  }
}

__attribute__((noinline)) static int twice(int n) {
  return n < 3 ? n : twice(n - 1) + 2;
}

__attribute__((noinline)) static void leave(int status) {
  if (status == 42)
    exit(0);
  sink += status;
}

static int (*volatile chosen)(int) = twice;

static int inner(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      if ((i + j) % 3)
        sum += j;
    if (sum % 7 == 0)
      continue;
    sum += chosen(i % 5);
  }
  return sum;
}

int main(int argc, char **argv) {
  (void)argv;
  int state = 0;
  for (int i = 0; i < 40; i++) {
    state = step(state, i % 11);
    leave(state);
  }
  sink += inner(12);
  if (argc > 1)
    raise(SIGKILL);
  leave(42);
}
