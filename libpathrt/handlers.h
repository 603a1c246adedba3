/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Handlers that the runtime installs in the program, for PATHPROF_SIGNAL and for uncaught exceptions.  Each handler
 * belongs to a module; when that module is unloaded, another module takes over.  */
#ifndef PATHRT_HANDLERS_H
#define PATHRT_HANDLERS_H

#include "libpathrt/process/registry.h"

/* The caller must have entered the registry.  */
void pathrt_install_handlers(struct pathrt_module *module);
void pathrt_remove_handlers(struct pathrt_module *module);

/* Implement the handlers.  The handlers in each module call them.  */
void pathrt_handle_signal(int signal);
void pathrt_handle_terminate(void);

#endif
