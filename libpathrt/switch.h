/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The switch of on-demand profiling (switch=1), for all modules of the process.  */
#ifndef PATHRT_SWITCH_H
#define PATHRT_SWITCH_H

#include <signal.h>
#include <stdbool.h>

#include "libpathrt/process/registry.h"

/* Gives a new module the state of the other modules, and the signal handler and the timer if no module owns them yet.
 * The caller must have entered the registry.  */
void pathrt_switch_add(struct pathrt_module *module);
/* Passes the signal handler and the timer of a removed module to another module.  The caller must not have entered the
 * registry.  */
void pathrt_switch_remove(struct pathrt_module *module);
/* Restarts the timer in the child of a fork, which does not inherit the threads of its parent.  */
void pathrt_switch_after_fork(void);
/* Ends the timer before the process restricts its system calls; profiling is then off.  The caller must not have
 * entered the registry.  */
void pathrt_switch_restrict(void);

/* Switches all modules.  The caller must have entered the registry.  */
void pathrt_switch_all(bool on);

/* Handle the switch signal, and run the timer thread, for the module that owns them.  */
void pathrt_switch_handle(const siginfo_t *info);
void pathrt_switch_run_timer(void);

#endif
