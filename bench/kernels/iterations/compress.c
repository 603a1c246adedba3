/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lempel-Ziv-Welch compression: a hash table with open addressing finds a string followed by a byte, codes grow
   from 9 to 12 bits, and the table is cleared when the ratio falls.  Argument: repetitions.  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_BITS 9
#define MOST_BITS 12
#define CLEAR 256
#define FIRST 257
#define SLOTS 5003
#define CHECK_EVERY 2048
#define LENGTH 30000

static unsigned char in[LENGTH], out[2 * LENGTH];
static long keys[SLOTS];
static unsigned short codes[SLOTS];
static int num_out, num_bits, next_code, held, held_bits, check_at;
static long ratio;

static __attribute__((noinline)) void cl_hash(void)
{
  long *at = keys;
  int left = SLOTS;
  for (; left >= 8; left -= 8, at += 8) {
    at[0] = at[1] = at[2] = at[3] = -1;
    at[4] = at[5] = at[6] = at[7] = -1;
  }
  while (left-- > 0)
    *at++ = -1;
}

static __attribute__((noinline)) void writebytes(int last)
{
  while (held_bits >= 8 || (last && held_bits > 0)) {
    if (num_out < (int)sizeof out)
      out[num_out++] = (unsigned char)(held & 255);
    held >>= 8;
    held_bits -= held_bits < 8 ? held_bits : 8;
  }
}

static __attribute__((noinline)) void output(int code, int last)
{
  if (code >= 0) {
    held |= code << held_bits;
    held_bits += num_bits;
  }
  writebytes(last);
  if (next_code > (1 << num_bits) - 1) {
    if (num_bits < MOST_BITS)
      num_bits++;
  } else if (code == CLEAR) {
    num_bits = LEAST_BITS;
  }
}

/* Clears the table if the compression ratio falls.  */
static __attribute__((noinline)) void cl_block(int num_in)
{
  check_at = num_in + CHECK_EVERY;
  long now = num_out ? ((long)num_in << 8) / num_out : 0;
  if (now > ratio) {
    ratio = now;
    return;
  }
  ratio = 0;
  cl_hash();
  next_code = FIRST;
  output(CLEAR, 0);
}

static __attribute__((noinline)) int compress(const unsigned char *text, int length)
{
  num_out = held = held_bits = 0;
  num_bits = LEAST_BITS;
  next_code = FIRST;
  ratio = 0;
  check_at = CHECK_EVERY;
  cl_hash();
  int string = text[0];
  for (int i = 1; i < length; i++) {
    int byte = text[i];
    long key = ((long)byte << MOST_BITS) + string;
    int slot = (byte << 4) ^ string;
    int step = slot == 0 ? 1 : SLOTS - slot % SLOTS;
    slot %= SLOTS;
    while (keys[slot] >= 0 && keys[slot] != key) {
      slot -= step;
      if (slot < 0)
        slot += SLOTS;
    }
    if (keys[slot] == key) {
      string = codes[slot];
      continue;
    }
    output(string, 0);
    string = byte;
    if (next_code < 1 << MOST_BITS) {
      codes[slot] = (unsigned short)next_code++;
      keys[slot] = key;
    } else if (i >= check_at) {
      cl_block(i);
    }
  }
  output(string, 0);
  output(-1, 1);
  return num_out;
}

int main(int argc, char **argv)
{
  static const char words[][8] = {"path", "edge", "block", "loop", "entry", "exit", "the ", "of a ", " = ", "\n  "};
  unsigned random = 9, sum = 0;
  for (int left = argc > 1 ? atoi(argv[1]) : 1; left > 0; left--) {
    for (int i = 0; i < LENGTH;) {
      random = random * 1664525u + 1013904223u;
      const char *word = words[(random >> 16) % (i < LENGTH / 2 ? 10 : 4)];
      if (random >> 28 == 0)
        in[i++] = (unsigned char)(random >> 8);
      for (; *word && i < LENGTH; word++)
        in[i++] = (unsigned char)*word;
    }
    sum += (unsigned)compress(in, LENGTH) + out[left % 100];
  }
  printf("%u\n", sum);
  return 0;
}
