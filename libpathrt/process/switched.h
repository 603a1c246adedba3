/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* State of on-demand profiling (libpathrt/switch.h) and the time for which it was on.  The caller must have entered the
 * registry.  */
#ifndef PATHRT_PROCESS_SWITCHED_H
#define PATHRT_PROCESS_SWITCHED_H

#include <stdbool.h>
#include <stdint.h>

/* Changes the setting of the program, which a recording overrides.  */
void pathrt_note_switched(bool on);
/* Starts or ends the override by a recording.  */
void pathrt_note_recorded(bool on);
bool pathrt_is_switched_on(void);
/* Passes the state to all modules.  */
void pathrt_switch_modules(void);
/* Returns the time in microseconds for which profiling was on and that is not in a file yet.  */
uint64_t pathrt_switched_for(void);
/* Returns the time of the monotonic clock in microseconds.  */
uint64_t pathrt_microseconds(void);

#endif
