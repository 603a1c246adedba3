// SPDX-License-Identifier: GPL-3.0-or-later
// Prices 1000 parcels. Every heavy parcel is sent by express, so only two of the four paths of price() are executed.

#include <stdio.h>

int price(int weight, int is_express)
{
  int cents = 400;
  if (weight > 10)
    cents += 300;
  if (is_express)
    cents *= 2;
  return cents;
}

int main(void)
{
  int total = 0;
  for (int i = 0; i < 1000; i++)
    total += price(i % 2 ? 20 : 5, i % 2);
  printf("%d\n", total);
  return 0;
}
