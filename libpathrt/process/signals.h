/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Blocking of signals while the runtime works, and names of signals.  */
#ifndef PATHRT_SIGNALS_H
#define PATHRT_SIGNALS_H

#include "profile/format/system.h"

/* Longest time in milliseconds that the runtime waits while signals are blocked.  */
enum { PATHRT_MOST_HELD_BACK = 2000 };

/* Blocks all signals of the thread, including those reserved by the C library.  No handler then sees a half-changed
 * state of the runtime, the thread is not cancelled, and signals from a failing write (SIGPIPE, SIGXFSZ) do not reach
 * the program.  Calls can be nested.  */
struct pathrt_signals {
  pathprof_signals mask;    /* before */
  pathprof_signals pending; /* before */
};
void pathrt_block_signals(struct pathrt_signals *signals);
/* Discards a SIGPIPE or SIGXFSZ that arrived meanwhile, and unblocks signals.  */
void pathrt_restore_signals(const struct pathrt_signals *signals);
/* Same as pathrt_restore_signals, but keeps the cancellation signal of the C library blocked.  */
void pathrt_admit_handlers(const struct pathrt_signals *signals);

/* Returns the number of a signal given as "SIGUSR2", "USR2" or "12", or 0 if no such signal exists or it cannot have a
 * handler.  */
int pathrt_signal_number(const char *text);

#endif
