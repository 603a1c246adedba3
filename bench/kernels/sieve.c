/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sieve of Eratosthenes.  Argument: rounds.  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1000000 };

static char composite[LIMIT];

static int count_primes(void)
{
  int count = 0;
  memset(composite, 0, sizeof composite);
  for (int i = 2; i < LIMIT; i++) {
    if (composite[i])
      continue;
    count++;
    for (int j = 2 * i; j < LIMIT; j += i)
      composite[j] = 1;
  }
  return count;
}

int main(int argc, char **argv)
{
  int count = 0;
  for (int rounds = argc > 1 ? atoi(argv[1]) : 1; rounds > 0; rounds--)
    count += count_primes();
  printf("%d\n", count);
  return 0;
}
