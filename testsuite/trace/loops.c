/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of all shapes, with trip counts from none on: what is done to count them fast must not be seen.  */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTION __attribute__((noinline, noclone))

static unsigned seed = 1;
static volatile int sink;

FUNCTION static unsigned draw(unsigned n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 16) % n;
}

FUNCTION static long sum(const int *a, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

FUNCTION static long sum_positive(const int *a, int n) {
  long s = 0;
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      s += a[i] * 3;
  return s;
}

FUNCTION static int find(const int *a, int n, int wanted) {
  for (int i = 0; i < n; i++)
    if (a[i] == wanted)
      return i;
  return -1;
}

FUNCTION static int two_exits(const char *s, char stop) {
  int n = 0;
  while (*s) {
    if (*s == stop)
      break;
    if (*s++ == ' ')
      continue;
    n++;
  }
  return n + (*s == stop ? 100 : 0);
}

FUNCTION static int do_while(unsigned n) {
  int digits = 0;
  do {
    digits++;
    n /= 10;
  } while (n);
  return digits;
}

FUNCTION static int if_conversions(const int *a, int n) {
  int x = 0, y = 0;
  for (int i = 0; i < n; i++) {
    if (a[i] & 1)
      x += a[i];
    else
      y -= a[i];
    if (a[i] & 2)
      x ^= y;
    else
      y += 7;
  }
  return x + y;
}

FUNCTION static int cases(const char *s) {
  int n = 0;
  for (; *s; s++)
    switch (*s) {
    case 'a':
      n += 1;
      break;
    case 'b':
      n *= 3;
      break;
    case 'c':
      n -= 7; /* fall through */
    case 'd':
      n ^= 5;
      break;
    default:
      n++;
    }
  return n;
}

FUNCTION static int machine(const char *s) {
  int words = 0, in_word = 0;
  for (; *s; s++) {
    if (*s == ' ') {
      in_word = 0;
    } else if (!in_word) {
      in_word = 1;
      words++;
    }
  }
  return words;
}

FUNCTION static void multiply(const double *a, const double *b, double *c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}

FUNCTION static int neighbours(const char *cells, int n, int at) {
  int count = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int x = (at % n + dx + n) % n, y = (at / n + dy + n) % n;
      if ((dx || dy) && cells[y * n + x])
        count++;
    }
  return count;
}

FUNCTION static int sieve(char *composite, int n) {
  int count = 0;
  memset(composite, 0, (size_t)n);
  for (int i = 2; i < n; i++) {
    if (composite[i])
      continue;
    count++;
    for (int j = 2 * i; j < n; j += i)
      composite[j] = 1;
  }
  return count;
}

FUNCTION static int with_calls(int n) {
  int hits = 0;
  for (int i = 0; i < n; i++)
    if (draw(4) == 0)
      hits++;
  return hits;
}

FUNCTION static unsigned gcd(unsigned a, unsigned b) {
  while (b) {
    unsigned t = a % b;
    a = b;
    b = t;
  }
  return a;
}

FUNCTION static int partition(int *a, int n) {
  int pivot = a[n / 2], i = -1, j = n;
  for (;;) {
    do
      i++;
    while (a[i] < pivot);
    do
      j--;
    while (a[j] > pivot);
    if (i >= j)
      return j;
    int t = a[i];
    a[i] = a[j];
    a[j] = t;
  }
}

FUNCTION static int irreducible(int n) {
  int i = 0, x = n;
  if (n & 1)
    goto middle;
top:
  x += 3;
middle:
  x ^= i++;
  if (i < n)
    goto top;
  return x;
}

FUNCTION static int infinite(int n) {
  for (;;) {
    if (n > 1000)
      return n;
    n += n & 1 ? 3 * n : 7;
  }
}

FUNCTION static int known_trips(int x) {
  for (int i = 0; i < 3; i++) {
    if (x & 1)
      x += i;
    x = x * 5 + sink;
  }
  for (int i = 0; i < 40; i++)
    x += sink ^ i;
  return x;
}

FUNCTION static int chain(int x, int n) {
  for (int i = 0; i < n; i++) {
    if (x > 100)
      x -= 50;
    if (x & 1)
      x += 3;
    if (x & 2)
      x ^= 5;
    if (x & 4)
      x -= sink;
    if (x & 8)
      x += 9;
  }
  return x;
}

struct node {
  struct node *next;
  int key;
};

FUNCTION static int lookup(const struct node *list, int key) {
  int steps = 0;
  for (; list; list = list->next, steps++)
    if (list->key == key)
      return steps;
  return -steps;
}

FUNCTION static int latch_that_leaves(const char *s, int n) {
  int i = 0;
  while (s[i] == 'x' && i < n)
    i++;
  return i;
}

FUNCTION static int one_after_the_other(const char *s, int n) {
  int i = 0, x = 0;
  for (int round = 0; round < 3; round++) {
    while (i < n && s[i] != 'a')
      i++;
    while (i < n && s[i] != 'b')
      i++, x++;
    do
      x += i--;
    while (i > 3);
  }
  return x;
}

static jmp_buf back;

FUNCTION static int with_jump(volatile int n) {
  volatile int rounds = 0;
  setjmp(back);
  rounds++;
  for (int i = 0; i < n; i++)
    if (i == 3 && rounds < 3)
      longjmp(back, 1);
  return rounds;
}

int main(void) {
  enum { N = 64 };
  int a[N];
  double x[N], y[N], z[N];
  char text[N + 1], cells[N];
  struct node nodes[N];
  long total = 0;
  for (int round = 0; round < 60; round++) {
    int n = (int)draw(round < 30 ? 4 : N - 1);
    for (int i = 0; i < N; i++) {
      a[i] = (int)draw(20) - 8;
      text[i] = "abcd xyz"[draw(8)];
      cells[i] = draw(3) == 0;
      x[i] = y[i] = draw(9);
      nodes[i].key = a[i];
      nodes[i].next = i + 1 < n ? &nodes[i + 1] : NULL;
    }
    text[n] = '\0';
    total += sum(a, n) + sum_positive(a, n) + find(a, n, 5) + two_exits(text, 'z') + do_while(draw(100000));
    total += if_conversions(a, n) + cases(text) + machine(text) + with_calls(n) + (long)gcd(draw(1000), draw(50));
    multiply(x, y, z, n % 9);
    total += (long)z[0] + neighbours(cells, 8, n) + sieve(cells, n) + partition(a, n + 1);
    total += irreducible(n) + infinite(n) + known_trips(n) + chain(n, n) + lookup(nodes, 3);
    memset(text, 'x', draw(N));
    total += latch_that_leaves(text, n) + one_after_the_other(text, n) + with_jump(n);
  }
  printf("%ld\n", total);
  return 0;
}
