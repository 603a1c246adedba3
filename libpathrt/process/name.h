/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Fixed-size file names and decimal numbers, and functions that construct them without stdio.  */
#ifndef PATHRT_NAME_H
#define PATHRT_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes `value` to `buffer` in decimal and returns the buffer.  */
enum { PATHRT_DECIMAL_SIZE = 21 };
const char *pathrt_decimal(char buffer[PATHRT_DECIMAL_SIZE], uint64_t value);

/* A file name.  For a relative name, the first `hidden` bytes are the working directory at program start, which
 * messages omit.  */
struct pathrt_name {
  char text[4096];
  size_t size;
  size_t hidden;
  bool too_long;
};

/* Returns the name as shown in messages.  */
static inline const char *pathrt_shown(const struct pathrt_name *name) {
  return name->text + name->hidden;
}

/* Returns the part of the name that follows the last slash.  */
const char *pathrt_base_name(const char *path);

/* Used only in this directory.  */
__attribute__((visibility("hidden"))) void pathrt_name_clear(struct pathrt_name *name);
__attribute__((visibility("hidden"))) void pathrt_name_append_bytes(struct pathrt_name *name, const char *bytes,
                                                                    size_t n);

void pathrt_name_append(struct pathrt_name *name, const char *text);
void pathrt_name_append_number(struct pathrt_name *name, unsigned long value);
void pathrt_name_append_hex(struct pathrt_name *name, const unsigned char *bytes, size_t n);
/* Sets `name` to the base name followed by the suffix.  */
void pathrt_name_extend(struct pathrt_name *name, const struct pathrt_name *base, const char *suffix);

#endif
