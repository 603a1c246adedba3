/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Creation of the raw file from which the counters of a module are mapped in continuous mode.  */
#ifndef PATHRT_CREATE_H
#define PATHRT_CREATE_H

#include <stdbool.h>

#include "libpathrt/process/registry.h"

/* Creates the raw file and maps the counters from it.  If `keep` is true, the counters keep their values; otherwise,
 * they are set to zero.  On failure, prints a message; the counters then stay in private memory.  The caller must be
 * inside the registry (pathrt_enter).  */
void pathrt_continuous_start(struct pathrt_module *module, bool keep);

/* Renames the raw file after the name of the profile has changed.  */
void pathrt_continuous_move(struct pathrt_module *module);

#endif
