/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Handlers for the signal that PATHPROF_SIGNAL names, and for uncaught exceptions.  The code of an installed handler
 * belongs to a module.  When that module is unloaded, another module's handler is installed instead.  */
#ifndef PATHRT_HANDLERS_H
#define PATHRT_HANDLERS_H

#include "libpathrt/process/registry.h"

/* Install and remove the handlers of a module.  The caller must be inside the registry (pathrt_enter).  */
void pathrt_install_handlers(struct pathrt_module *module);
void pathrt_remove_handlers(struct pathrt_module *module);

/* Common implementations that the handlers of each module call.  */
void pathrt_handle_signal(int signal);
void pathrt_handle_terminate(void);

#endif
