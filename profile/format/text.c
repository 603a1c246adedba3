/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Implements string functions without the C library.  */
#include "profile/format/text.h"

/* Without -fno-tree-loop-distribute-patterns, GCC would replace loops in this file with calls to strlen.  */
#pragma GCC optimize("no-tree-loop-distribute-patterns")

size_t pathprof_text_size(const char *text) {
  size_t size = 0;
  while (text[size])
    size++;
  return size;
}

int pathprof_text_compare(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return (unsigned char)*a - (unsigned char)*b;
}

bool pathprof_text_equals(const char *a, const char *b) {
  return pathprof_text_compare(a, b) == 0;
}

bool pathprof_text_starts(const char *text, const char *start) {
  while (*start && *text == *start)
    text++, start++;
  return !*start;
}

char *pathprof_text_find(const char *text, char character) {
  while (*text && *text != character)
    text++;
  return *text == character ? (char *)text : NULL;
}

char *pathprof_text_find_last(const char *text, char character) {
  const char *last = NULL;
  for (; *text; text++)
    if (*text == character)
      last = text;
  return (char *)last;
}

size_t pathprof_text_digits(const char *text) {
  size_t n = 0;
  while (text[n] >= '0' && text[n] <= '9')
    n++;
  return n;
}

void pathprof_text_copy(char *to, const char *text, size_t size) {
  size_t n = 0;
  for (; n + 1 < size && text[n]; n++)
    to[n] = text[n];
  to[n] = '\0';
}

void pathprof_text_append(char *to, const char *text, size_t size) {
  size_t at = pathprof_text_size(to);
  pathprof_text_copy(to + at, text, size - at);
}

bool pathprof_text_number(const char *text, const char **end, uint64_t *number) {
  size_t n = pathprof_text_digits(text);
  bool ok = n > 0;
  *number = 0;
  *end = text + n;
  for (; text < *end; text++)
    ok &= !__builtin_mul_overflow(*number, 10, number) &&
          !__builtin_add_overflow(*number, (uint64_t)(*text - '0'), number);
  return ok;
}
