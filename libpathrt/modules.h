/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* List of the modules in a process.  A module adds itself at startup and removes itself when it is unloaded.  */
#ifndef PATHRT_MODULES_H
#define PATHRT_MODULES_H

#include "libpathrt/process/registry.h"

/* Adds a module to the registry and installs its handlers.  */
void pathrt_add_module(struct pathrt_module *module);
/* Removes a module from the registry and passes its handlers to another module.  */
void pathrt_remove_module(struct pathrt_module *module);

#endif
