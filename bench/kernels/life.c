/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conway's Game of Life on a torus.  Argument: generations.  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 128 };

static unsigned char now[SIZE][SIZE], next[SIZE][SIZE];

static int neighbours(int y, int x)
{
  int count = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dy || dx)
        count += now[(y + dy) & (SIZE - 1)][(x + dx) & (SIZE - 1)];
  return count;
}

static void step(void)
{
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) {
      int count = neighbours(y, x);
      if (now[y][x])
        next[y][x] = count == 2 || count == 3;
      else
        next[y][x] = count == 3;
    }
  memcpy(now, next, sizeof now);
}

int main(int argc, char **argv)
{
  unsigned random = 1;
  int alive = 0;
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++) {
      random = random * 1103515245u + 12345u;
      now[y][x] = (random >> 16) % 3 == 0;
    }
  for (int generations = argc > 1 ? atoi(argv[1]) : 1; generations > 0; generations--)
    step();
  for (int y = 0; y < SIZE; y++)
    for (int x = 0; x < SIZE; x++)
      alive += now[y][x];
  printf("%d\n", alive);
  return 0;
}
