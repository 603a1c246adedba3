/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What the user asked for: the environment, read once a process.  */
#ifndef PATHRT_ENVIRONMENT_H
#define PATHRT_ENVIRONMENT_H

#include "libpathrt/process/build_id.h"

/* Fills the registry.  Called by the first module of a process.  */
void pathrt_read_environment(const struct pathrt_identity *identity);

/* Sets the pattern of the file's name; null or empty names the default.  `source` is named in messages.  */
void pathrt_set_pattern(const char *pattern, const char *source, const struct pathrt_identity *identity);

#endif
