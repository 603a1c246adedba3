/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What the user asked for: the environment, read once a process.  */
#ifndef PATHRT_ENVIRONMENT_H
#define PATHRT_ENVIRONMENT_H

#include "libpathrt/build_id.h"

/* Fills the registry, which the first module of a process does.  */
void pathrt_read_environment(const struct pathrt_identity *identity);

/* Null or empty: the default.  `source` is named in messages.  */
void pathrt_set_pattern(const char *pattern, const char *source, const struct pathrt_identity *identity);

#endif
