/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* File names, and functions that build them.  */
#ifndef PATHRT_NAME_H
#define PATHRT_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* File name.  Messages omit the first `hidden` bytes, which are the working directory at program start for a relative
 * name.  */
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

/* Returns the name without its directories.  */
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
