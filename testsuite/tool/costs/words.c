/* Counts words and characters: the loop around mblen takes most of the time. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static int
characters (const char *text, size_t length)
{
  int number = 0;
  for (size_t at = 0; at < length;)
    {
      int size = mblen (text + at, length - at);
      at += size > 0 ? (size_t) size : 1;
      number++;
    }
  return number;
}

__attribute__((noinline)) static int
words (const char *text, size_t length)
{
  int number = 0, inside = 0;
  for (size_t at = 0; at < length; at++)
    if (text[at] == ' ')
      inside = 0;
    else if (!inside)
      {
        inside = 1;
        number++;
      }
  return number;
}

int
main (int argc, char **argv)
{
  char text[] = "the quick brown fox jumps over the lazy dog and runs away";
  int times = argc > 1 ? atoi (argv[1]) : 100, sum = 0;
  for (int i = 0; i < times; i++)
    {
      text[0] = (char) ('a' + i % 26);
      sum += words (text, sizeof text - 1) * 1000 + characters (text, sizeof text - 1);
    }
  printf ("%d\n", sum);
  return 0;
}
