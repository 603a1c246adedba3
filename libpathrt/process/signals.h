/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Functions that block signals while the runtime works, and a parser for signal names.  */
#ifndef PATHRT_SIGNALS_H
#define PATHRT_SIGNALS_H

#include "profile/format/system.h"

/* Maximum time, in milliseconds, that the runtime waits while signals are blocked.  */
enum { PATHRT_MOST_HELD_BACK = 2000 };

/* Blocks all signals in the calling thread, including those reserved by the C library.  While signals are blocked, no
 * handler can see an inconsistent runtime state, the thread cannot be cancelled, and the signals that failing writes
 * raise (SIGPIPE, SIGXFSZ) do not reach the program.  Calls can be nested.  */
struct pathrt_signals {
  pathprof_signals mask;    /* before */
  pathprof_signals pending; /* before */
};
void pathrt_block_signals(struct pathrt_signals *signals);
/* Discards any SIGPIPE or SIGXFSZ that arrived while signals were blocked, then restores the previous signal mask.  */
void pathrt_restore_signals(const struct pathrt_signals *signals);
/* Same as pathrt_restore_signals, but keeps the C library's cancellation signal blocked.  */
void pathrt_admit_handlers(const struct pathrt_signals *signals);

/* Returns the number of the signal that `text` names, such as "SIGUSR2", "USR2" or "12".  Returns 0 if the signal does
 * not exist or cannot be caught.  */
int pathrt_signal_number(const char *text);

#endif
