/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checksum CRC-16-CCITT of a message, bit by bit and with a precomputed table.  Argument: repetitions.  */
#include <stdio.h>
#include <stdlib.h>

#define LENGTH 4096

static unsigned char message[LENGTH];

static unsigned shift_in(unsigned crc, unsigned char byte)
{
  crc ^= (unsigned)byte << 8;
  for (int bit = 0; bit < 8; bit++) {
    if (crc & 0x8000)
      crc = (crc << 1) ^ 0x1021;
    else
      crc <<= 1;
  }
  return crc & 0xffff;
}

static unsigned by_table(const unsigned char *text, int length, int reflected)
{
  static unsigned short table[256];
  static int has_table;
  unsigned crc = 0xffff;
  if (!has_table) {
    for (int i = 0; i < 256; i++)
      table[i] = (unsigned short)shift_in(0, (unsigned char)i);
    has_table = 1;
  }
  for (int i = 0; i < length; i++) {
    unsigned byte = text[i];
    if (reflected)
      byte = (byte >> 4) | ((byte & 15) << 4);
    crc = ((crc << 8) ^ table[(crc >> 8) ^ byte]) & 0xffff;
  }
  return crc;
}

static unsigned by_bits(const unsigned char *text, int length)
{
  unsigned crc = 0xffff;
  for (int i = 0; i < length; i++)
    crc = shift_in(crc, text[i]);
  return crc;
}

int main(int argc, char **argv)
{
  unsigned random = 7, sum = 0;
  for (int i = 0; i < LENGTH; i++) {
    random = random * 1664525u + 1013904223u;
    message[i] = (unsigned char)(random >> 24);
  }
  for (int left = argc > 1 ? atoi(argv[1]) : 1; left > 0; left--) {
    message[left & (LENGTH - 1)] ^= 1;
    sum += by_bits(message, LENGTH) + by_table(message, LENGTH, left & 1);
  }
  printf("%u\n", sum);
  return 0;
}
