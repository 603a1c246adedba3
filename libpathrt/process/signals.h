/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The host's signals while the runtime works, and signals by name.  */
#ifndef PATHRT_SIGNALS_H
#define PATHRT_SIGNALS_H

#include "profile/format/system.h"

/* The longest that the runtime waits for anything while it holds back signals, in milliseconds.  */
enum { PATHRT_MOST_HELD_BACK = 2000 };

/* Blocks all signals of this thread, including those that the C library keeps for itself, so that no handler sees the
 * runtime's state half changed, the thread is not cancelled, and none of the signals that a failing write raises
 * (SIGPIPE, SIGXFSZ) reaches the program.  Calls nest.  */
struct pathrt_signals {
  pathprof_signals mask;    /* before */
  pathprof_signals pending; /* before */
};
void pathrt_block_signals(struct pathrt_signals *signals);
/* Discards a SIGPIPE or SIGXFSZ that came since, and lets signals through again.  */
void pathrt_restore_signals(const struct pathrt_signals *signals);
/* Restores the mask likewise, but keeps the signal blocked by which the C library cancels a thread.  */
void pathrt_admit_handlers(const struct pathrt_signals *signals);

/* The number of a signal given as "SIGUSR2", "USR2" or "12"; 0 if there is none, or if it can have
 * no handler.  */
int pathrt_signal_number(const char *text);

#endif
