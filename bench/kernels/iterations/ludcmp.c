/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Systems of linear equations: the matrix is decomposed in place into a lower and an upper triangular matrix, with a
   test for pivots near zero, and the system is solved by forward and backward substitution.  Argument: repetitions.  */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 50

static double a[MOST][MOST], b[MOST], x[MOST];

static __attribute__((noinline)) int ludcmp(int n, double least)
{
  double y[MOST];
  if (n > MOST || least <= 0)
    return 999;
  for (int i = 0; i < n; i++) {
    if (fabs(a[i][i]) <= least)
      return 1;
    for (int j = i + 1; j < n; j++) {
      double left = a[j][i];
      if (i != 0)
        for (int k = 0; k < i; k++)
          left -= a[j][k] * a[k][i];
      a[j][i] = left / a[i][i];
    }
    for (int j = i + 1; j < n; j++) {
      double left = a[i + 1][j];
      for (int k = 0; k <= i; k++)
        left -= a[i + 1][k] * a[k][j];
      a[i + 1][j] = left;
    }
  }
  y[0] = b[0];
  for (int i = 1; i < n; i++) {
    double left = b[i];
    for (int j = 0; j < i; j++)
      left -= a[i][j] * y[j];
    y[i] = left;
  }
  for (int i = n - 1; i >= 0; i--) {
    double left = y[i];
    for (int j = i + 1; j < n; j++)
      left -= a[i][j] * x[j];
    x[i] = left / a[i][i];
  }
  return 0;
}

int main(int argc, char **argv)
{
  double sum = 0;
  int bad = 0;
  for (int left = argc > 1 ? atoi(argv[1]) : 1; left > 0; left--) {
    int n = 6 + left % (MOST - 5);
    for (int i = 0; i < n; i++) {
      double total = 0;
      for (int j = 0; j < n; j++) {
        a[i][j] = (i + 1) + (j + 1) + left % 7;
        if (i == j)
          a[i][j] *= 10 + left % 3;
        total += a[i][j];
      }
      b[i] = total;
    }
    bad += ludcmp(n, 1e-6) != 0;
    sum += x[n / 2];
  }
  printf("%d %.3f\n", bad, sum);
  return 0;
}
