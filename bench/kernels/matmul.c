/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Product of square matrices with three nested loops.  Argument: rounds.  */
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 120 };

static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

static void multiply(void)
{
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) {
      double sum = 0;
      for (int k = 0; k < SIZE; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}

int main(int argc, char **argv)
{
  double trace = 0;
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) {
      a[i][j] = (i * 7 + j) % 11;
      b[i][j] = (i + j * 5) % 13;
    }
  for (int rounds = argc > 1 ? atoi(argv[1]) : 1; rounds > 0; rounds--) {
    multiply();
    a[rounds % SIZE][0] += 1;
    for (int i = 0; i < SIZE; i++)
      trace += c[i][i];
  }
  printf("%.0f\n", trace);
  return 0;
}
