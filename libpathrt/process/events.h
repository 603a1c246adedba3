/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Registration of functions that the C library calls at process events such as fork and exit.  */
#ifndef PATHRT_EVENTS_H
#define PATHRT_EVENTS_H

#include <stdbool.h>

/* Registers functions to be called in the child of a fork, by quick_exit, and at exit or when this module is unloaded.
 * Called once per module.  Returns false if the function for exit could not be registered.  */
bool pathrt_at_events(void (*in_child)(void), void (*quickly)(void), void (*at_exit)(void));

#endif
