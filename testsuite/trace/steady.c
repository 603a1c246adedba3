/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops whose number of rounds the compiler can know, and such where it only seems so.  */
#ifdef noinline
#define FUNCTION
#else
#define FUNCTION __attribute__((noinline))
#endif

enum { SIZE = 24 };
static int grid[SIZE][SIZE];
static volatile int sink;

FUNCTION static void fill(int by) {
  if (by & 1)
    sink = by;
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      grid[i][j] = i * by + j;
}

FUNCTION static int sum_down(void) {
  int sum = 0;
  for (int i = SIZE - 1; i >= 0; i--)
    sum += grid[i][i];
  for (unsigned i = SIZE; i-- > 0;)
    sum ^= grid[0][i];
  return sum;
}

FUNCTION static long tested_late(int add) {
  long sum = 0;
  int i = 3;
  do
    sum += grid[i % SIZE][add % SIZE];
  while (++i != 40);
  i = 0;
  do {
    sum += i;
    i += 7;
  } while (i <= 200);
  if (add > 5)
    sum++;
  return sum;
}

/* Around a loop that is left early, one with a condition inside, and two one after the other.  */
FUNCTION static int not_alike(int wanted) {
  int found = 0;
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++)
      if (grid[i][j] == wanted) {
        found++;
        break;
      }
    for (int j = 0; j < SIZE; j++)
      if (grid[j][i] & 1)
        found++;
  }
  for (int i = 0; i < 30; i++) {
    for (int j = 0; j < 20; j++)
      found += grid[j][i % SIZE];
    for (int j = 17; j > 0; j -= 2)
      found -= grid[j][0];
  }
  return found;
}

/* 100 and what is added never are equal; numbers that wrap around.  */
FUNCTION static int steps(unsigned char start) {
  int rounds = 0;
  for (unsigned char i = 200; i != 40; i++)
    rounds++;
  for (unsigned char i = 4; i < 250; i += 13)
    rounds += start;
  for (signed char i = -100; i < 100; i += 9)
    rounds ^= i;
  for (unsigned i = 60; i > 0; i--)
    rounds += start ^ (int)i;
  for (unsigned i = 5; i != 100; i += 5)
    rounds += grid[i % SIZE][0];
  return rounds;
}

FUNCTION static int three_deep(void) {
  int sum = 0;
  for (int i = 0; i < 18; i++) {
    sum ^= i;
    for (int j = 0; j < 16; j++)
      for (int k = 0; k < SIZE; k++)
        sum += grid[j][k];
  }
  return sum;
}

/* Pointers from and to places in one object; and such where only one of the two is known.  */
FUNCTION static int along(const int *row, const int *until) {
  int sum = 0;
  for (const int *p = grid[1]; p != grid[1] + SIZE; p++)
    sum += *p;
  for (const int *p = &grid[2][SIZE - 1]; p >= grid[2]; p--)
    sum ^= *p;
  for (const int *p = row; p < row + 20; p++)
    sum += *p;
  for (const int *p = row + 2, *end = p + 16; p != end; p += 2)
    sum -= *p;
  for (const int(*p)[SIZE] = grid; p != grid + SIZE; p++)
    for (const int *q = *p; q != *p + SIZE; q++)
      sum += *q;
  for (const int *p = grid[0]; p != until; p++)
    sum += *p;
  for (const int *p = row; p < until; p++)
    sum--;
  return sum;
}

/* Ends that move with where the loop begins.  */
FUNCTION static int beside(int *to, const int *from) {
  int sum = 0;
  const int *end = from + 18;
  for (int i = 0; i < 20; i++, from++, end++) {
    for (const int *p = from; p != end; p++)
      sum += *p;
    *to++ = sum;
  }
  for (end = from + 19; from != grid[1] + SIZE; from++, end += 1 + (from == grid[1]))
    for (const int *p = from; p != end; p++)
      sum += *p;
  return sum;
}

/* Where sums of integers wrap around, the end comes before the beginning.  */
FUNCTION static int around(unsigned long at) {
  int rounds = 0;
  for (char *p = (char *)at, *end = (char *)(at + 20); p < end; p++)
    rounds++;
  for (char *p = (char *)(at - 40), *end = (char *)(at - 8); p < end; p++)
    rounds += 2;
  return rounds;
}

/* The end moves once, and the last one is not where it seems to be.  */
FUNCTION static int moving(int by) {
  const int *p = grid[0], *end = p + SIZE;
  int sum = 0;
  while (p != end) {
    sum += *p++;
    if (sum == by)
      end = grid[1] + SIZE;
  }
  for (p = grid[0]; p < grid[0] + SIZE; p++)
    if (*p == by + 17)
      p = grid[0] + SIZE - 2;
  for (unsigned long i = (unsigned long)by + 7; i != (unsigned long)by + 47; i++)
    sum += (int)i & 3;
  for (unsigned i = (unsigned)by - 9; i != (unsigned)by + 23; i++)
    sum += (int)i & 5;
  return sum;
}

FUNCTION static int in_a_loop(int times) {
  int sum = 0;
  while (times-- > 0) {
    if (times % 3)
      for (int i = 0; i < 32; i++)
        sum += grid[i % SIZE][times % SIZE];
    else
      sum--;
    for (int i = 0; i < 16; i++)
      sum -= grid[0][i];
  }
  return sum;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    fill(i);
    sink = sum_down();
    sink = (int)tested_late(i * 4);
    sink = not_alike(i * 7);
    sink = steps((unsigned char)i);
    sink = three_deep();
    sink = along(grid[i], grid[0] + i * 9);
    sink = beside(grid[3], grid[0] + i);
    sink = around(i * 16UL - 10);
    sink = moving(i * 23);
    sink = in_a_loop(i * 5);
  }
  return 0;
}
