/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The patterns of PATHPROF_FILE, and the names that they stand for.  */
#ifndef PATHRT_PATTERN_H
#define PATHRT_PATTERN_H

#include <stddef.h>

#include "libpathrt/process/build_id.h"
#include "libpathrt/process/name.h"

#define PATHRT_DEFAULT_FILE "%e.pathprof"

/* Expands all but %p, %m and %%, which stay for pathrt_name_expand: the environment is read once,
 * while it is as the user left it.  `source` names the pattern in messages.  */
void pathrt_pattern_set(struct pathrt_name *pattern, const char *text, const char *source,
                        const struct pathrt_identity *identity);
/* Expands the rest: the process id changes with a fork.  `folder` (with a slash at its end) is what
 * relative names are resolved against.  */
void pathrt_name_expand(struct pathrt_name *name, const struct pathrt_name *pattern, const char *folder,
                        const unsigned char *build_id, size_t build_id_size);

#endif
