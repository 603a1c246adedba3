/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Patterns of PATHPROF_FILE and their expansion to file names.  */
#ifndef PATHRT_PATTERN_H
#define PATHRT_PATTERN_H

#include <stddef.h>

#include "libpathrt/process/build_id.h"
#include "libpathrt/process/name.h"

#define PATHRT_DEFAULT_FILE "%e.pathprof"

/* Expands all conversions except %p, %m and %%, which pathrt_name_expand expands.  The environment is read only once,
 * before the program can change it.  Messages name `source` as the origin of the pattern.  */
void pathrt_pattern_set(struct pathrt_name *pattern, const char *text, const char *source,
                        const struct pathrt_identity *identity);
/* Expands the remaining conversions; the process ID changes with a fork.  Relative names refer to `folder`, which ends
 * with a slash.  */
void pathrt_name_expand(struct pathrt_name *name, const struct pathrt_name *pattern, const char *folder,
                        const unsigned char *build_id, size_t build_id_size);

#endif
