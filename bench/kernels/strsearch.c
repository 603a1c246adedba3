/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boyer-Moore-Horspool search and naive search.  Argument: rounds.  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 1 << 18 };

static char text[LENGTH];

static long naive(const char *needle, long n)
{
  long found = 0;
  for (long i = 0; i + n <= LENGTH; i++) {
    long j = 0;
    while (j < n && text[i + j] == needle[j])
      j++;
    if (j == n)
      found++;
  }
  return found;
}

static long horspool(const char *needle, long n)
{
  long skip[256];
  long found = 0;
  for (int c = 0; c < 256; c++)
    skip[c] = n;
  for (long j = 0; j < n - 1; j++)
    skip[(unsigned char)needle[j]] = n - 1 - j;
  for (long i = 0; i + n <= LENGTH;) {
    long j = n - 1;
    while (j >= 0 && text[i + j] == needle[j])
      j--;
    if (j < 0) {
      found++;
      i++;
    } else {
      i += skip[(unsigned char)text[i + n - 1]];
    }
  }
  return found;
}

int main(int argc, char **argv)
{
  static const char *const needles[] = {"abcab", "aabba", "cabbac", "bcbcbc"};
  unsigned random = 7;
  long found = 0;
  for (long i = 0; i < LENGTH; i++) {
    random = random * 1664525u + 1013904223u;
    text[i] = (char)('a' + (random >> 20) % 3);
  }
  for (int rounds = argc > 1 ? atoi(argv[1]) : 1; rounds > 0; rounds--)
    for (int i = 0; i < 4; i++) {
      long n = (long)strlen(needles[i]);
      found += naive(needles[i], n) - horspool(needles[i], n) + 1;
    }
  printf("%ld\n", found);
  return 0;
}
