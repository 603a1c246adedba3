/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A finite impulse response filter of 35 integer taps, which uses fewer taps at the start of the signal.
   Argument: repetitions.  */
#include <stdio.h>
#include <stdlib.h>

#define TAPS 35
#define SAMPLES 700

static int in[SAMPLES], out[SAMPLES], taps[TAPS];

static void filter(const int *from, int *to, int num_samples, const int *tap, int num_taps, int scale)
{
  for (int i = 0; i < num_samples; i++) {
    int first = i - num_taps + 1;
    int sum = 0;
    for (int j = first < 0 ? 0 : first; j <= i; j++)
      sum += from[j] * tap[i - j];
    sum /= scale;
    to[i] = sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum;
  }
}

int main(int argc, char **argv)
{
  unsigned random = 11;
  int sum = 0, scale = 0;
  for (int i = 0; i < TAPS; i++) {
    int from_middle = i - TAPS / 2;
    taps[i] = 400 - from_middle * from_middle;
    scale += taps[i];
  }
  for (int i = 0; i < SAMPLES; i++) {
    random = random * 1664525u + 1013904223u;
    in[i] = (int)(random >> 15) - 65536;
  }
  for (int left = argc > 1 ? atoi(argv[1]) : 1; left > 0; left--) {
    filter(in, out, SAMPLES, taps, TAPS, scale / 2);
    in[left % SAMPLES] ^= left & 255;
    sum ^= out[left % SAMPLES] + left;
  }
  printf("%d\n", sum);
  return 0;
}
