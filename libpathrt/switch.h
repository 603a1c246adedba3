/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Switching on and off what was compiled with switch=1, in all modules of the process.  */
#ifndef PATHRT_SWITCH_H
#define PATHRT_SWITCH_H

#include <signal.h>
#include <stdbool.h>

#include "libpathrt/process/registry.h"

/* A new module gets the state of the others, the handler of the signal and the timer.  The registry is entered.  */
void pathrt_switch_add(struct pathrt_module *module);
/* The module is removed from the registry, which is not entered: others have its handler and its timer then.  */
void pathrt_switch_remove(struct pathrt_module *module);
/* In the child of a fork, which has no thread of its parent's.  */
void pathrt_switch_after_fork(void);
/* The process is about to restrict its system calls: the timer ends, off.  The registry is not entered.  */
void pathrt_switch_restrict(void);

/* Turns all modules.  The registry is entered.  */
void pathrt_switch_all(bool on);

/* What a module's handler of the signal does, and what its timer's thread runs.  */
void pathrt_switch_handle(const siginfo_t *info);
void pathrt_switch_run_timer(void);

#endif
