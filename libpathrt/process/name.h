/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Names of files, and names made from names.  */
#ifndef PATHRT_NAME_H
#define PATHRT_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* A file name.  Messages leave out the first `hidden` bytes: the working directory at start, which
 * relative names are resolved against.  */
struct pathrt_name {
  char text[4096];
  size_t size;
  size_t hidden;
  bool too_long;
};

static inline const char *pathrt_shown(const struct pathrt_name *name) {
  return name->text + name->hidden;
}

/* Without the folders.  */
const char *pathrt_base_name(const char *path);

/* Of no use outside of this folder.  */
__attribute__((visibility("hidden"))) void pathrt_name_clear(struct pathrt_name *name);
__attribute__((visibility("hidden"))) void pathrt_name_append_bytes(struct pathrt_name *name, const char *bytes,
                                                                    size_t n);

void pathrt_name_append(struct pathrt_name *name, const char *text);
void pathrt_name_append_number(struct pathrt_name *name, unsigned long value);
void pathrt_name_append_hex(struct pathrt_name *name, const unsigned char *bytes, size_t n);
/* The base name and a suffix.  */
void pathrt_name_extend(struct pathrt_name *name, const struct pathrt_name *base, const char *suffix);

#endif
