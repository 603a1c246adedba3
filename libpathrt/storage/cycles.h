/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Cycles spent on paths (metric=tsc), without those spent in activations that the path called.
 *
 * A thread's own clock stands still while its callees run: it is the time-stamp counter less what finished
 * activations took.  An activation notes that clock when it starts and, when it ends, sets what finished
 * activations took so that its caller's clock has not moved.  One that is unwound sets nothing: its time
 * belongs to the path that goes on.  */
#ifndef PATHRT_CYCLES_H
#define PATHRT_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

/* Cycles that finished activations of this thread took.  Instrumented code reads and writes it.  */
extern __thread uint64_t __pathrt_callees __attribute__((tls_model("initial-exec")));

/* Whether any function of the module measures the cycles spent on its paths: whether the module has that variable.  */
extern bool pathrt_measures_cycles;

/* What reading the clock costs, in cycles.  An activation reads it at both ends: what lies between is one reading too
 * much for its paths, and what lies outside of it one for its caller's.  Read by instrumented code.  */
extern uint64_t __pathrt_reading;

/* To be called before instrumented code that measures.  */
void pathrt_cycles_start(void);

/* What an empty path appears to take, in 256ths of a cycle; found out once, in moments without interruptions.  */
uint64_t pathrt_cost_of_cycles(void);

/* What an empty path appeared to take in this process: the counter goes on while other processes have the processor, so
 * all that is measured, the measuring included, took longer than it would have alone.  */
uint64_t pathrt_cost_in_place(void);

/* How much longer, in 256ths, a thread took than it would have alone, by what Linux says of it (/proc/PID/schedstat):
 * nanoseconds on a processor, and nanoseconds of waiting for one.  256 where Linux does not say, or where the thread
 * has run too little to tell.  */
uint64_t pathrt_stretch_of(const char *schedstat);

#endif
