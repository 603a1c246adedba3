/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Switches on-demand profiling (switch=1) on and off for all modules of the process.  */
#ifndef PATHRT_SWITCH_H
#define PATHRT_SWITCH_H

#include <signal.h>
#include <stdbool.h>

#include "libpathrt/process/registry.h"

/* Adds a module, and sets its switch to the state of the other modules.  If no module owns the signal handler or the
 * timer yet, the new module becomes the owner.  The caller must have entered the registry.  */
void pathrt_switch_add(struct pathrt_module *module);
/* Passes the signal handler and the timer from a removed module to another module.  The caller must not have entered
 * the registry.  */
void pathrt_switch_remove(struct pathrt_module *module);
/* Restarts the timer in the child of a fork, which does not inherit the threads of its parent.  */
void pathrt_switch_after_fork(void);
/* Called before the process restricts its system calls.  Ends the current recording, withdraws the announcement to
 * tools, and stops the timer, which leaves profiling off.  The caller must not have entered the registry.  */
void pathrt_switch_restrict(void);

/* Switches all modules on or off.  The caller must have entered the registry (libpathrt/process/entry.h).  */
void pathrt_switch_all(bool on);

/* pathrt_switch_handle is called by the handler of the switch signal and of the request signal, and
 * pathrt_switch_run_timer by the timer thread.  */
void pathrt_switch_handle(const siginfo_t *info);
void pathrt_switch_run_timer(void);

#endif
