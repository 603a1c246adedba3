/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The list of modules that a process has: a module enters itself in it when it starts, and leaves it when it is
 * unloaded.  */
#ifndef PATHRT_MODULES_H
#define PATHRT_MODULES_H

#include "libpathrt/process/registry.h"

void pathrt_add_module(struct pathrt_module *module);
void pathrt_remove_module(struct pathrt_module *module);

#endif
