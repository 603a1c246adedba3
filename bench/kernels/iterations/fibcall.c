/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fibonacci numbers by a loop in a function that is called repeatedly.  Argument: repetitions, in thousands.  */
#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline)) unsigned fib(int n)
{
  unsigned last = 1, before = 0;
  for (int i = 2; i <= n; i++) {
    unsigned next = last + before;
    before = last;
    last = next;
  }
  return n > 0 ? last : before;
}

int main(int argc, char **argv)
{
  unsigned sum = 0;
  for (int left = argc > 1 ? atoi(argv[1]) : 1; left > 0; left--)
    for (int i = 0; i < 1000; i++)
      sum += fib(i % 31);
  printf("%u\n", sum);
  return 0;
}
