/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* String functions that do not call the C library, because a program can replace C library functions
 * (profile/format/system.h).  */
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
/* Returns the first occurrence of the character, or null if there is none.  */
char *pathprof_text_find(const char *text, char character);
/* Returns the last occurrence of the character, or null if there is none.  */
char *pathprof_text_find_last(const char *text, char character);
/* Returns the number of decimal digits at the start of the string.  */
size_t pathprof_text_digits(const char *text);
/* Copies a string, and truncates the copy to fit in `size` bytes including the NUL.  */
void pathprof_text_copy(char *to, const char *text, size_t size);
/* Appends a string, and truncates the result to fit in `size` bytes including the NUL.  */
void pathprof_text_append(char *to, const char *text, size_t size);
/* Parses a decimal number and sets `*end` to the first character after the number.  Returns false if there is no digit
 * or if the number does not fit in 64 bits.  */
bool pathprof_text_number(const char *text, const char **end, uint64_t *number);

#ifdef __cplusplus
}
#endif
#endif
