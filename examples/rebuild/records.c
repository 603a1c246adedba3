/* Processes records of four kinds in three phases; each phase switches on the kind.  The path before the first phase
   determines the kind.  */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 1 << 14 };
static uint8_t data[SIZE];

__attribute__ ((noinline)) uint32_t
process (const uint8_t *p, size_t n)
{
  uint32_t a = 1, b = 2, c = 3, d = 4;
  for (size_t i = 0; i < n; i++)
    {
      uint32_t byte = p[i];
      int kind;
      if (byte < 100)
        kind = 0;
      else if (byte < 200)
        kind = 1;
      else if (byte < 250)
        kind = 2;
      else
        kind = 3;
      a += byte; b ^= a >> 3; c += b << 2; d ^= c; a = a << 5 | a >> 27; b += d; c ^= a >> 7; d += c << 1;
      switch (kind)
        {
        case 0: a += 3; break;
        case 1: b ^= 5; break;
        case 2: c += d; break;
        case 3: d ^= a; break;
        }
      a ^= d; b += a << 3; c ^= b >> 2; d += c; a += b << 7; b ^= c; c += d << 9; d ^= a >> 11;
      switch (kind)
        {
        case 0: b += 7; break;
        case 1: c ^= 9; break;
        case 2: d += a; break;
        case 3: a ^= b; break;
        }
      a += c; b ^= d >> 4; c += a << 6; d ^= b; a ^= c >> 9; b += d << 3; c ^= a; d += b >> 5;
      switch (kind)
        {
        case 0: c += 11; break;
        case 1: d ^= 13; break;
        case 2: a += b; break;
        case 3: b ^= c; break;
        }
    }
  return a ^ b ^ c ^ d;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 100;
  uint32_t seed = 1, sum = 0;
  for (size_t i = 0; i < SIZE; i++)
    {
      seed = seed * 1103515245 + 12345;
      data[i] = seed >> 16;
    }
  for (int i = 0; i < rounds; i++)
    {
      data[i % SIZE]++;
      sum += process (data, SIZE);
    }
  printf ("%u\n", sum);
  return 0;
}
