/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Making the raw file of continuous mode, and mapping this module's counters from it.  */
#ifndef PATHRT_CREATE_H
#define PATHRT_CREATE_H

#include <stdbool.h>

#include "libpathrt/process/registry.h"

/* Makes the file and maps the counters from it, with what they counted so far (`keep`) or with zeros.  Where that
 * fails, the module goes on without a file after a message.  Needs the registry entered.  */
void pathrt_continuous_start(struct pathrt_module *module, bool keep);

/* Moves the file beside the profile that the module is written to now.  */
void pathrt_continuous_move(struct pathrt_module *module);

#endif
