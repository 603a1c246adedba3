/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Notification of process events by the C library.  */
#ifndef PATHRT_EVENTS_H
#define PATHRT_EVENTS_H

#include <stdbool.h>

/* Registers functions for the child of a fork, for quick_exit, and for exit or the unloading of this module.  Called
 * once per module.  Returns false if exit will not call its function.  */
bool pathrt_at_events(void (*in_child)(void), void (*quickly)(void), void (*at_exit)(void));

#endif
