/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Tracks whether on-demand profiling (libpathrt/switch.h) is on, and how long it has been on.  The caller must be
 * inside the registry (pathrt_enter).  */
#ifndef PATHRT_PROCESS_SWITCHED_H
#define PATHRT_PROCESS_SWITCHED_H

#include <stdbool.h>
#include <stdint.h>

/* Changes the switch setting of the process.  During a recording, profiling is on regardless of this setting.  */
void pathrt_note_switched(bool on);
/* Called when a recording starts (`on` is true) or ends.  Profiling is on during a recording.  */
void pathrt_note_recorded(bool on);
bool pathrt_is_switched_on(void);
/* Passes the state to all modules.  */
void pathrt_switch_modules(void);
/* Returns how long profiling has been on, in microseconds, excluding time that has already been written to a file.  */
uint64_t pathrt_switched_for(void);
/* Returns the monotonic clock's time in microseconds.  */
uint64_t pathrt_microseconds(void);

#endif
