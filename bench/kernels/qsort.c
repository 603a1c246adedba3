/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quicksort with insertion sort below a threshold, on pseudo-random keys.  Argument: rounds.  */
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 100000, SMALL = 12 };

static unsigned keys[COUNT];

static void insertion_sort(unsigned *a, long n)
{
  for (long i = 1; i < n; i++) {
    unsigned key = a[i];
    long j = i;
    while (j > 0 && a[j - 1] > key) {
      a[j] = a[j - 1];
      j--;
    }
    a[j] = key;
  }
}

static void sort(unsigned *a, long n)
{
  while (n > SMALL) {
    unsigned pivot = a[n / 2];
    long low = 0;
    long high = n - 1;
    while (low <= high) {
      while (a[low] < pivot)
        low++;
      while (a[high] > pivot)
        high--;
      if (low <= high) {
        unsigned swap = a[low];
        a[low++] = a[high];
        a[high--] = swap;
      }
    }
    sort(a, high + 1);
    a += low;
    n -= low;
  }
  insertion_sort(a, n);
}

int main(int argc, char **argv)
{
  unsigned random = 1;
  unsigned sum = 0;
  for (int rounds = argc > 1 ? atoi(argv[1]) : 1; rounds > 0; rounds--) {
    for (int i = 0; i < COUNT; i++)
      keys[i] = random = random * 1664525u + 1013904223u;
    sort(keys, COUNT);
    for (int i = 0; i < COUNT; i += 1000)
      sum = sum * 31 + keys[i];
  }
  printf("%u\n", sum);
  return 0;
}
