/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches around an assignment, whose operations are chosen before the branch: all kinds of operations, in loops
   and outside.  */
#include <stdio.h>
#include <stdlib.h>

#define FUNCTION __attribute__((noinline, noclone))

static unsigned seed = 1;

FUNCTION static unsigned draw(void) {
  seed = seed * 1664525u + 1013904223u;
  return seed >> 16;
}

FUNCTION static int search(const int *a, int n, int wanted) {
  int low = 0;
  while (n > 1) {
    int half = n / 2;
    if (a[low + half] <= wanted)
      low += half;
    n -= half;
  }
  return low;
}

FUNCTION static int once(int x, int y) {
  return (x ^ y) & 4 ? x + 3 : y - x;
}

FUNCTION static int three_times(unsigned x, int y) {
  int r = 5;
  if (x & 8)
    r += y;
  if (y & 2)
    r = x;
  if ((r & 1) == 0)
    return r;
  return r & 16 ? y : r - 1;
}

FUNCTION static long in_loop(const int *a, int n) {
  long sum = 0;
  for (int i = 0; i < n; i++) {
    int x = a[i], y = x >> 3;
    if (x & 1)
      y += x;
    if (y & 2)
      x ^= y;
    if (x & 256)
      x -= 7;
    sum += x + y;
  }
  return sum;
}

int main(void) {
  enum { SIZE = 60 };
  static int a[SIZE];
  long sum = 0;
  for (int i = 0; i < SIZE; i++)
    a[i] = i * 5;
  for (int i = 0; i < 40; i++) {
    sum += search(a, (int)(draw() % SIZE) + 1, (int)(draw() % 300)) + once((int)draw(), (int)draw()) +
           three_times(draw(), (int)draw());
    a[draw() % SIZE] = (int)draw();
    sum += in_loop(a, (int)(draw() % SIZE));
  }
  printf("%ld\n", sum);
  return 0;
}
