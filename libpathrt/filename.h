/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* File names: the patterns of PATHPROF_FILE, and names made from names.  */
#ifndef PATHRT_FILENAME_H
#define PATHRT_FILENAME_H

#include <stdbool.h>
#include <stddef.h>

#include "libpathrt/build_id.h"

#define PATHRT_DEFAULT_FILE "%e.pathprof"

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

void pathrt_name_append(struct pathrt_name *name, const char *text);
void pathrt_name_append_number(struct pathrt_name *name, unsigned long value);
void pathrt_name_append_hex(struct pathrt_name *name, const unsigned char *bytes, size_t n);
/* The base name and a suffix.  */
void pathrt_name_extend(struct pathrt_name *name, const struct pathrt_name *base, const char *suffix);

/* Expands all but %p, %m and %%, which stay for pathrt_name_expand: the environment is read once,
 * while it is as the user left it.  `source` names the pattern in messages.  */
void pathrt_pattern_set(struct pathrt_name *pattern, const char *text, const char *source,
                        const struct pathrt_identity *identity);
/* Expands the rest: the process id changes with a fork.  `folder` (with a slash at its end) is what
 * relative names are resolved against.  */
void pathrt_name_expand(struct pathrt_name *name, const struct pathrt_name *pattern, const char *folder,
                        const unsigned char *build_id, size_t build_id_size);

/* Makes the folders that the name needs.  False with errno set.  */
bool pathrt_make_folders(const struct pathrt_name *name);

#endif
