/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Processing of the PATHPROF_* environment variables.  */
#ifndef PATHRT_ENVIRONMENT_H
#define PATHRT_ENVIRONMENT_H

#include "libpathrt/process/build_id.h"

/* Reads the environment variables and stores the settings in the registry.  Called once per process, by the first
 * module that starts.  */
void pathrt_read_environment(const struct pathrt_identity *identity);

/* Sets the pattern for the profile's file name.  A null or empty pattern selects the default.  `source` is the name by
 * which messages refer to the pattern.  */
void pathrt_set_pattern(const char *pattern, const char *source, const struct pathrt_identity *identity);

#endif
