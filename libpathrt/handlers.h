/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Handlers that the runtime installs in the program: for PATHPROF_SIGNAL, and for exceptions that
 * nobody catches.  Each belongs to a module; when that goes, another takes over.  */
#ifndef PATHRT_HANDLERS_H
#define PATHRT_HANDLERS_H

#include "libpathrt/process/registry.h"

/* Both need the registry entered.  */
void pathrt_install_handlers(struct pathrt_module *module);
void pathrt_remove_handlers(struct pathrt_module *module);

/* What the handlers do; a module's own handlers call these.  */
void pathrt_handle_signal(int signal);
void pathrt_handle_terminate(void);

#endif
