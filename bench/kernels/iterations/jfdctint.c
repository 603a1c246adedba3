/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A forward cosine transform of 8x8 blocks as in JPEG, with the division by a quantisation table and the search
   for the last nonzero coefficient.  The transform follows its definition, separated into two passes.  Argument:
   repetitions, in tens.  */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 8
#define SQUARE (SIZE * SIZE)

static int factor[SIZE][SIZE]; /* weight of a sample in a coefficient, with 12 fractional bits */
static int quantum[SQUARE];
static int zigzag[SQUARE];

static void make_tables(void)
{
  for (int u = 0; u < SIZE; u++)
    for (int x = 0; x < SIZE; x++) {
      double scale = u == 0 ? sqrt(0.125) : 0.5;
      factor[u][x] = (int)lrint(4096 * scale * cos((2 * x + 1) * u * 3.14159265358979323846 / 16));
    }
  for (int diagonal = 0, i = 0; diagonal < 2 * SIZE - 1; diagonal++)
    for (int j = 0; j <= diagonal; j++) {
      int row = diagonal & 1 ? j : diagonal - j;
      int column = diagonal - row;
      if (row < SIZE && column < SIZE)
        zigzag[i++] = row * SIZE + column;
    }
  for (int i = 0; i < SQUARE; i++)
    quantum[i] = 8 + 3 * (i / SIZE + i % SIZE);
}

static __attribute__((noinline)) void jfdctint(int block[SQUARE])
{
  int half[SQUARE];
  for (int row = 0; row < SIZE; row++)
    for (int u = 0; u < SIZE; u++) {
      int sum = 0;
      for (int x = 0; x < SIZE; x++)
        sum += block[row * SIZE + x] * factor[u][x];
      half[row * SIZE + u] = (sum + 512) >> 10;
    }
  for (int column = 0; column < SIZE; column++)
    for (int v = 0; v < SIZE; v++) {
      int sum = 0;
      for (int y = 0; y < SIZE; y++)
        sum += half[y * SIZE + column] * factor[v][y];
      block[v * SIZE + column] = (sum + 8192) >> 14;
    }
}

/* Returns the number of coefficients up to the last nonzero one, in diagonal order.  */
static __attribute__((noinline)) int quantise(int block[SQUARE])
{
  int used = 0;
  for (int i = 0; i < SQUARE; i++) {
    int value = block[zigzag[i]], by = quantum[i];
    if (value < 0)
      value = -((-value + by / 2) / by);
    else
      value = (value + by / 2) / by;
    block[zigzag[i]] = value;
    if (value)
      used = i + 1;
  }
  return used;
}

int main(int argc, char **argv)
{
  unsigned random = 5;
  int sum = 0;
  make_tables();
  for (int left = argc > 1 ? atoi(argv[1]) : 1; left > 0; left--)
    for (int i = 0; i < 10; i++) {
      int block[SQUARE];
      for (int j = 0; j < SQUARE; j++) {
        random = random * 1664525u + 1013904223u;
        block[j] = (int)(random >> 26) + 4 * (j / SIZE) - 6 * (j % SIZE);
      }
      jfdctint(block);
      sum += quantise(block) + block[0];
    }
  printf("%d\n", sum);
  return 0;
}
