/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Creation of the raw file of continuous mode, from which the counters of a module are mapped.  */
#ifndef PATHRT_CREATE_H
#define PATHRT_CREATE_H

#include <stdbool.h>

#include "libpathrt/process/registry.h"

/* Creates the file and maps the counters from it, with their current counts (`keep`) or with zeros.  On failure, prints
 * a message and continues without a file.  The caller must have entered the registry.  */
void pathrt_continuous_start(struct pathrt_module *module, bool keep);

/* Moves the raw file to the directory of the current profile.  */
void pathrt_continuous_move(struct pathrt_module *module);

#endif
