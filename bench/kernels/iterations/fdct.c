/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A forward cosine transform of 8x8 blocks in fixed point, first rows and then columns, with separate even and odd
   halves.  Argument: repetitions, in hundreds.  */
#include <stdio.h>
#include <stdlib.h>

#define SIZE 8
#define FIXED(x) ((int)((x) * 8192 + 0.5))

/* cos (k pi / 16) */
static const int cosine[SIZE] = {FIXED(1.0),         FIXED(0.980785280), FIXED(0.923879533), FIXED(0.831469612),
                                 FIXED(0.707106781), FIXED(0.555570233), FIXED(0.382683432), FIXED(0.195090322)};

static int scaled(long long value, int shift)
{
  return (int)((value + (1LL << (shift - 1))) >> shift);
}

static void transform(int *at, int step, int shift)
{
  int even[4], odd[4];
  for (int i = 0; i < 4; i++) {
    even[i] = at[i * step] + at[(7 - i) * step];
    odd[i] = at[i * step] - at[(7 - i) * step];
  }
  long long sum = even[0] + even[3], difference = even[0] - even[3];
  long long inner = even[1] + even[2], inner_difference = even[1] - even[2];
  at[0] = scaled((sum + inner) * cosine[4], shift);
  at[4 * step] = scaled((sum - inner) * cosine[4], shift);
  at[2 * step] = scaled(difference * cosine[2] + inner_difference * cosine[6], shift);
  at[6 * step] = scaled(difference * cosine[6] - inner_difference * cosine[2], shift);
  at[step] = scaled((long long)odd[0] * cosine[1] + (long long)odd[1] * cosine[3] + (long long)odd[2] * cosine[5] +
                      (long long)odd[3] * cosine[7], shift);
  at[3 * step] = scaled((long long)odd[0] * cosine[3] - (long long)odd[1] * cosine[7] -
                          (long long)odd[2] * cosine[1] - (long long)odd[3] * cosine[5], shift);
  at[5 * step] = scaled((long long)odd[0] * cosine[5] - (long long)odd[1] * cosine[1] +
                          (long long)odd[2] * cosine[7] + (long long)odd[3] * cosine[3], shift);
  at[7 * step] = scaled((long long)odd[0] * cosine[7] - (long long)odd[1] * cosine[5] +
                          (long long)odd[2] * cosine[3] - (long long)odd[3] * cosine[1], shift);
}

static __attribute__((noinline)) void fdct(int block[SIZE * SIZE])
{
  for (int row = 0; row < SIZE; row++)
    transform(block + row * SIZE, 1, 13);
  for (int column = 0; column < SIZE; column++)
    transform(block + column, SIZE, 15);
}

int main(int argc, char **argv)
{
  unsigned random = 5;
  int sum = 0;
  for (int left = argc > 1 ? atoi(argv[1]) : 1; left > 0; left--)
    for (int i = 0; i < 100; i++) {
      int block[SIZE * SIZE];
      for (int j = 0; j < SIZE * SIZE; j++) {
        random = random * 1664525u + 1013904223u;
        block[j] = (int)(random >> 24) - 128;
      }
      fdct(block);
      sum += block[0] + block[9] * 3 + block[63];
    }
  printf("%d\n", sum);
  return 0;
}
