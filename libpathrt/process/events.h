/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Events of the process that only the C library announces.  */
#ifndef PATHRT_EVENTS_H
#define PATHRT_EVENTS_H

#include <stdbool.h>

/* Has the functions called in the child of a fork, by quick_exit, and by exit or when this module is closed.  Called
 * once per module.  Returns false if exit will not call its function.  */
bool pathrt_at_events(void (*in_child)(void), void (*quickly)(void), void (*at_exit)(void));

#endif
