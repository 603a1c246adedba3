/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The life of a module.  */
#ifndef PATHRT_MODULE_H
#define PATHRT_MODULE_H

/* What its constructor does; calls of pathrt.h may come before that.  */
void pathrt_start_module(void);

/* Called by instrumented code (PATHPROF_FLUSH_SYMBOL) before what ends a process without its exit
 * handlers: writes the counts of all modules.  */
void __pathrt_flush(void);

#endif
