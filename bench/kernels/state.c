/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A state machine that splits C-like text into words, numbers, strings and comments, with one switch in a
   loop and a few branches in each case.  Argument: rounds.  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum state { BLANK, WORD, NUMBER, STRING, ESCAPE, SLASH, COMMENT, STAR, STATES };

static const char pattern[] =
  "int f(int n) { /* sum **of* squares */ int s = 0, i1 = 10; while (n > 0) s += n * n--;\n"
  "  puts(\"a \\\"quoted\\\" word / no comment\"); return s / 2; }\n";

static char text[1 << 16];

static enum state start_of(int c)
{
  if ((c >= 'a' && c <= 'z') || c == '_')
    return WORD;
  if (c >= '0' && c <= '9')
    return NUMBER;
  if (c == '"')
    return STRING;
  return c == '/' ? SLASH : BLANK;
}

static void scan(const char *s, size_t n, unsigned long entered[STATES])
{
  enum state state = BLANK;
  for (size_t i = 0; i < n; i++) {
    int c = s[i];
    enum state next = state;
    switch (state) {
    case BLANK:
      next = start_of(c);
      break;
    case WORD:
      if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'))
        next = start_of(c);
      break;
    case NUMBER:
      if (c < '0' || c > '9')
        next = start_of(c);
      break;
    case STRING:
      if (c == '\\')
        next = ESCAPE;
      else if (c == '"')
        next = BLANK;
      break;
    case ESCAPE:
      next = STRING;
      break;
    case SLASH:
      next = c == '*' ? COMMENT : start_of(c);
      break;
    case COMMENT:
      if (c == '*')
        next = STAR;
      break;
    case STAR:
      if (c == '/')
        next = BLANK;
      else if (c != '*')
        next = COMMENT;
      break;
    default:
      abort();
    }
    if (next != state)
      entered[next]++;
    state = next;
  }
}

int main(int argc, char **argv)
{
  unsigned long entered[STATES] = {0};
  for (size_t i = 0; i < sizeof text; i++)
    text[i] = pattern[i % (sizeof pattern - 1)];
  for (int rounds = argc > 1 ? atoi(argv[1]) : 1; rounds > 0; rounds--)
    scan(text, sizeof text, entered);
  for (int i = 0; i < STATES; i++)
    printf("%lu\n", entered[i]);
  return 0;
}
