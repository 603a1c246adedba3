/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Process life: start, exit, fork, the programmer's calls; and the host's signals while the runtime
 * writes.  */
#ifndef PATHRT_RUNTIME_H
#define PATHRT_RUNTIME_H

#include <signal.h>
#include <stdbool.h>

/* Holds back all signals of this thread, so that no handler finds the runtime halfway and none of
 * the signals that a failing write raises (SIGPIPE, SIGXFSZ) reaches the program.  Nests.  */
struct pathrt_signals {
  sigset_t mask;    /* before */
  sigset_t pending; /* before */
};
void pathrt_block_signals(struct pathrt_signals *signals);
/* Discards a SIGPIPE or SIGXFSZ that came since, and lets signals through again.  */
void pathrt_restore_signals(const struct pathrt_signals *signals);

#endif
