/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Typical functions of signal processors: products of vectors, filters with and without feedback, a lattice, a search
   in a code book, and a cosine transform.  Argument: repetitions.  */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define N 150
#define ORDER 16
#define SECTIONS 4
#define CODES 64

static short a[2 * N], b[2 * N], c[CODES];
static int results[N];

static __attribute__((noinline)) void add_scaled(short *to, const short *from, int scale)
{
  for (int i = 0; i < N; i++)
    to[i] = (short)(to[i] + ((scale * from[i]) >> 15));
}

static __attribute__((noinline)) long mac(const short *x, const short *y, long square, long *sum)
{
  long product = *sum;
  for (int i = 0; i < N; i++) {
    product += (long)x[i] * y[i];
    square += (long)x[i] * x[i];
  }
  *sum = product;
  return square;
}

static __attribute__((noinline)) void fir(const short *from, const short *taps, int *to)
{
  for (int i = 0; i < N - 50; i++) {
    int sum = 0;
    for (int j = 0; j < 50; j++)
      sum += from[i + j] * taps[j];
    to[i] = sum >> 15;
  }
}

/* Computes two sums per step, so that each sample is read once for both.  */
static __attribute__((noinline)) void fir_by_two(const short *from, const short *taps, int *to)
{
  for (int i = 0; i < N - 50; i += 2) {
    int sum = 0, next = 0, held = from[i];
    for (int j = 0; j < 50; j++) {
      int sample = from[i + j + 1];
      sum += held * taps[j];
      next += sample * taps[j];
      held = sample;
    }
    to[i] = sum >> 15;
    to[i + 1] = next >> 15;
  }
}

static __attribute__((noinline)) long lattice(short *state, const short *factors, int n, long in)
{
  long value = in - (long)state[n - 1] * factors[n - 1];
  for (int i = n - 2; i >= 0; i--) {
    value -= (long)state[i] * factors[i];
    state[i + 1] = (short)(state[i] + ((factors[i] * (value >> 16)) >> 16));
  }
  state[0] = (short)(value >> 16);
  return value;
}

static __attribute__((noinline)) void iir(const short *factors, const short *from, int *to, int state[2 * SECTIONS])
{
  int value = from[0];
  for (int i = 0; i < SECTIONS; i++) {
    int now = value + ((factors[2] * state[2 * i]) >> 15) + ((factors[3] * state[2 * i + 1]) >> 15);
    value = now + ((factors[0] * state[2 * i]) >> 15) + ((factors[1] * state[2 * i + 1]) >> 15);
    state[2 * i + 1] = state[2 * i];
    state[2 * i] = now;
    factors += 4;
  }
  *to++ = value;
}

/* Returns the code nearest to a target by squared distance; stops early if a code cannot become the best.  */
static __attribute__((noinline)) int codebook(const short *target, const short *codes, int num_codes)
{
  int best = -1;
  long least = LONG_MAX;
  for (int code = 0; code < num_codes; code++) {
    long distance = 0;
    for (int i = 0; i < 8; i++) {
      long difference = target[i] - codes[(code + i) % num_codes];
      distance += difference * difference;
      if (distance >= least)
        break;
    }
    if (distance < least) {
      least = distance;
      best = code;
    }
  }
  return best;
}

static __attribute__((noinline)) void jpegdct(short *block, const short *factors)
{
  for (int pass = 0, step = 1; pass < 2; pass++, step = 8)
    for (int line = 0; line < 8; line++) {
      short *at = block + line * (pass ? 1 : 8);
      int sums[4], differences[4];
      for (int i = 0; i < 4; i++) {
        sums[i] = at[i * step] + at[(7 - i) * step];
        differences[i] = at[i * step] - at[(7 - i) * step];
      }
      for (int i = 0; i < 4; i++) {
        int even = 0, odd = 0;
        for (int j = 0; j < 4; j++) {
          even += sums[j] * factors[(i * j) & 7];
          odd += differences[j] * factors[(i + j + 1) & 7];
        }
        at[2 * i * step] = (short)(even >> 9);
        at[(2 * i + 1) * step] = (short)(odd >> 9);
      }
    }
}

int main(int argc, char **argv)
{
  unsigned random = 21;
  long sum = 0;
  int state[2 * SECTIONS] = {0}, value = 0;
  for (int i = 0; i < 2 * N; i++) {
    random = random * 1664525u + 1013904223u;
    a[i] = (short)((int)(random >> 20) - 2048);
    b[i] = (short)((int)(random >> 8 & 4095) - 2048);
  }
  for (int i = 0; i < CODES; i++)
    c[i] = a[3 * i];
  for (int left = argc > 1 ? atoi(argv[1]) : 1; left > 0; left--) {
    add_scaled(a, b, left % 7);
    sum += mac(a, b, left, &sum) & 1023;
    fir(a, b, results);
    sum += results[left % 100];
    fir_by_two(a, b, results);
    sum += results[left % 100];
    sum += lattice(a, b, ORDER, left) & 255;
    iir(b, a + left % N, &value, state);
    sum += value + codebook(a + left % N, c, CODES);
    jpegdct(a, b);
  }
  printf("%ld\n", sum);
  return 0;
}
