/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Expansion of PATHPROF_FILE patterns to file names.  */
#ifndef PATHRT_PATTERN_H
#define PATHRT_PATTERN_H

#include <stddef.h>

#include "libpathrt/process/build_id.h"
#include "libpathrt/process/name.h"

#define PATHRT_DEFAULT_FILE "%e.pathprof"

/* Expands all conversions except %p, %m and %%, which pathrt_name_expand expands.  The environment is read only here,
 * before the program can change it.  `source` is the name by which messages refer to the pattern.  */
void pathrt_pattern_set(struct pathrt_name *pattern, const char *text, const char *source,
                        const struct pathrt_identity *identity);
/* Expands the remaining conversions.  Must be called again after a fork, because the process ID has changed.  Relative
 * names are relative to `folder`, which must end with a slash.  */
void pathrt_name_expand(struct pathrt_name *name, const struct pathrt_name *pattern, const char *folder,
                        const unsigned char *build_id, size_t build_id_size);

#endif
