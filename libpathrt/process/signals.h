/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The host's signals while the runtime works, and signals by name.  */
#ifndef PATHRT_SIGNALS_H
#define PATHRT_SIGNALS_H

#include <signal.h>

/* The longest that the runtime waits for anything while it holds back signals, in milliseconds.  */
enum { PATHRT_MOST_HELD_BACK = 2000 };

/* Holds back all signals of this thread, so that no handler finds the runtime halfway and none of
 * the signals that a failing write raises (SIGPIPE, SIGXFSZ) reaches the program.  Nests.  */
struct pathrt_signals {
  sigset_t mask;    /* before */
  sigset_t pending; /* before */
};
void pathrt_block_signals(struct pathrt_signals *signals);
/* Discards a SIGPIPE or SIGXFSZ that came since, and lets signals through again.  */
void pathrt_restore_signals(const struct pathrt_signals *signals);

/* The number of a signal given as "SIGUSR2", "USR2" or "12"; 0 if there is none, or if it can have
 * no handler.  */
int pathrt_signal_number(const char *text);

#endif
