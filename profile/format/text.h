/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Functions on text that do not call the C library, whose functions a program may replace (profile/format/system.h). */
#ifndef PATHPROF_PROFILE_FORMAT_TEXT_H
#define PATHPROF_PROFILE_FORMAT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the number of bytes before the NUL.  */
size_t pathprof_text_size(const char *text);
/* Returns a negative number, 0 or a positive number, as strcmp does.  */
int pathprof_text_compare(const char *a, const char *b);
bool pathprof_text_equals(const char *a, const char *b);
bool pathprof_text_starts(const char *text, const char *start);
bool pathprof_text_ends(const char *text, const char *end);
/* Returns the first or the last occurrence of the character, or null if there is none.  */
char *pathprof_text_find(const char *text, char character);
char *pathprof_text_find_last(const char *text, char character);
/* Returns the number of decimal digits at the start of the text.  */
size_t pathprof_text_digits(const char *text);
/* Copies the text, which is truncated if it has `size` bytes or more.  */
void pathprof_text_copy(char *to, const char *text, size_t size);
/* Appends the text, which is truncated if the sum has `size` bytes or more.  */
void pathprof_text_append(char *to, const char *text, size_t size);
/* Reads a number in decimal digits; `*end` is set to the first character after it.  Returns false if there is no digit
 * or if the number has more than 64 bits.  */
bool pathprof_text_number(const char *text, const char **end, uint64_t *number);

#ifdef __cplusplus
}
#endif
#endif
