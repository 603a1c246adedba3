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
    sink = in_a_loop(i * 5);
  }
  return 0;
}
