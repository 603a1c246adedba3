/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reading of the PATHPROF_* environment variables, once per process.  */
#ifndef PATHRT_ENVIRONMENT_H
#define PATHRT_ENVIRONMENT_H

#include "libpathrt/process/build_id.h"

/* Stores the settings in the registry.  Called by the first module of a process.  */
void pathrt_read_environment(const struct pathrt_identity *identity);

/* Sets the pattern of the profile's file name.  A null or empty pattern selects the default.  Messages name `source` as
 * the origin of the pattern.  */
void pathrt_set_pattern(const char *pattern, const char *source, const struct pathrt_identity *identity);

#endif
