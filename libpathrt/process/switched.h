/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* For how long the process was switched on (libpathrt/switch.h).  The registry is entered.  */
#ifndef PATHRT_PROCESS_SWITCHED_H
#define PATHRT_PROCESS_SWITCHED_H

#include <stdbool.h>
#include <stdint.h>

/* What is wanted apart from a recording.  */
void pathrt_note_switched(bool on);
/* Whether it is on for a recording, whatever is wanted.  */
void pathrt_note_recorded(bool on);
bool pathrt_is_switched_on(void);
/* Has all modules do as these say.  */
void pathrt_switch_modules(void);
/* In microseconds, as far as it is in no file yet.  */
uint64_t pathrt_switched_for(void);
/* The monotonic clock, in microseconds.  */
uint64_t pathrt_microseconds(void);

#endif
