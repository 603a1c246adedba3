/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of all kinds: in conditions and in loops, recursive, mutual, indirect, with too many arguments, in tail
   position, several in a block, of functions that do not come back.  */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef noinline
#define FUNCTION
#else
#define FUNCTION __attribute__((noinline))
#endif

static unsigned seed = 1;

struct pair {
  long first, second;
  char name[24];
};

FUNCTION static unsigned draw(unsigned n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 16) % n;
}

FUNCTION static long power(long base, unsigned exponent) {
  long result = 1;
  while (exponent--)
    result *= base;
  return result;
}

FUNCTION static int is_even(unsigned n);

FUNCTION static int is_odd(unsigned n) {
  return n == 0 ? 0 : is_even(n - 1);
}

FUNCTION static int is_even(unsigned n) {
  return n == 0 ? 1 : is_odd(n - 1);
}

FUNCTION static long fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

FUNCTION static long sum(int n, ...) {
  va_list values;
  long result = 0;
  va_start(values, n);
  for (int i = 0; i < n; i++)
    result += va_arg(values, int);
  va_end(values);
  return result;
}

FUNCTION static struct pair swap(struct pair pair, unsigned times) {
  while (times--) {
    long first = pair.first;
    pair.first = pair.second;
    pair.second = first;
    if (draw(3) == 0)
      pair.name[draw(24)]++;
  }
  return pair;
}

FUNCTION static long twice(long x) {
  return 2 * x;
}
FUNCTION static long absolute(long x) {
  return x < 0 ? -x : x;
}
FUNCTION static long collatz(long x) {
  int steps = 0;
  for (; x > 1; steps++)
    x = x % 2 ? 3 * x + 1 : x / 2;
  return steps;
}

static long (*const table[])(long) = {twice, absolute, collatz};

FUNCTION static long apply(unsigned which, long x) {
  long result = table[which % 3](x);
  if (which > 3)
    result += table[(which + 1) % 3](result);
  return result;
}

FUNCTION static int find(const int *values, int n, int wanted) {
  for (int i = 0; i < n; i++) {
    if (absolute(values[i]) == wanted)
      return i;
    if (draw(9) == 0)
      continue;
  }
  return -1;
}

FUNCTION static long sorts(int *values, int n) {
  long swaps = 0;
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && values[j - 1] > values[j]; j--, swaps++) {
      int value = values[j];
      values[j] = values[j - 1];
      values[j - 1] = value;
    }
  return swaps;
}

FUNCTION static long tail(unsigned n, long x) {
  if (n % 3 == 0)
    return collatz(x);
  if (n % 3 == 1)
    return twice(absolute(x));
  return power(x % 5, n % 7);
}

/* Seen from outside.  */
long visible(int n) {
  return power(2, (unsigned)n % 5) + power(3, (unsigned)n % 4) + (n > 2 ? tail((unsigned)n, n) : 0);
}

FUNCTION static void leave(long total) {
  if (total == 42)
    abort();
  printf("%ld\n", total + visible(7));
  exit(0);
}

int main(void) {
  long total = 0;
  int values[16];
  struct pair pair = {1, 2, ""};
  for (int round = 0; round < 60; round++) {
    for (int i = 0; i < 16; i++)
      values[i] = (int)draw(40) - 20;
    total += power(round % 4, draw(4)) * power(2, draw(3)) + visible(round % 6);
    if (is_even(draw(12)) && !is_odd(draw(3)))
      total += fibonacci(draw(7));
    total += sum(3, round, values[0], values[1]) + sum((int)draw(4), 1, 2, 3);
    pair = swap(pair, draw(4));
    switch (draw(5)) {
    case 0:
      total += pair.first;
      break;
    case 1:
      total -= apply(draw(6), values[2]);
      break;
    case 2:
      total += find(values, 16, 7); /* fall through */
    case 3:
      total ^= sorts(values, (int)draw(16));
      break;
    default:
      total += tail(draw(9), values[3]);
    }
  }
  leave(total + pair.second);
}
