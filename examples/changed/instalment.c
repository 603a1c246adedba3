// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the next instalment of an invoice in cents: small sums are paid in one instalment, other sums in four.
#include <stdio.h>
#include <stdlib.h>

static int instalment(int cents, int is_first_paid)
{
  int number = 4;
  if (cents < 1000)
    number = 1;
  (void)is_first_paid; // makes no difference yet
  return cents / number;
}

int main(int argc, char **argv)
{
  if (argc != 3)
    return 2;
  printf("%d\n", instalment(atoi(argv[1]), atoi(argv[2])));
  return 0;
}
