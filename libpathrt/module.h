/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The life of a module.  */
#ifndef PATHRT_MODULE_H
#define PATHRT_MODULE_H

/* What the module's constructor does, unless a call of a function of pathrt.h has done it before.  */
void pathrt_start_module(void);

/* Called by instrumented code (PATHPROF_FLUSH_SYMBOL) before what ends a process without its exit
 * handlers: writes the counts of all modules.  */
void __pathrt_flush(void);

#endif
