/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* For how long the process was switched on (libpathrt/switch.h).  The registry is entered.  */
#ifndef PATHRT_PROCESS_SWITCHED_H
#define PATHRT_PROCESS_SWITCHED_H

#include <stdbool.h>
#include <stdint.h>

void pathrt_note_switched(bool on);
/* In microseconds, as far as it is in no file yet.  */
uint64_t pathrt_switched_for(void);

#endif
