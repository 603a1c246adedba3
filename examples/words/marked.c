/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the words of the standard input that begin with a '#'.  */
#include <stdio.h>

static int num_marked(const char *text)
{
  int sum = 0;
  while (*text) {
    if (*text == '#')
      sum++;
    while (*text > ' ')
      text++;
    if (*text)
      text++;
  }
  return sum;
}

int main(void)
{
  char line[200];
  long sum = 0;
  while (fgets(line, sizeof line, stdin))
    sum += num_marked(line);
  printf("%ld\n", sum);
  return 0;
}
