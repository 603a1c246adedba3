/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The lifecycle of a module.  */
#ifndef PATHRT_MODULE_H
#define PATHRT_MODULE_H

/* Initializes the module.  Called by the module's constructor, or earlier if another constructor calls a function in
 * pathrt.h.  */
void pathrt_start_module(void);

/* Writes the counts of all modules.  Instrumented code calls this function (PATHPROF_FLUSH_SYMBOL) before calls such as
 * _exit and exec, which end the process without running exit handlers.  */
void __pathrt_flush(void);

#endif
