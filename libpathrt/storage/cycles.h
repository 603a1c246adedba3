/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Measures the cycles spent on paths (metric=tsc), excluding callees.
 *
 * A thread's clock is the time-stamp counter minus the time of finished activations, so the clock stands still during
 * calls.  An activation reads the clock when it starts.  When it ends, it updates the time of finished activations so
 * that the caller's clock appears not to have advanced.  An activation that is unwound by an exception or longjmp does
 * not update this time, so its cycles are attributed to the path in which execution continues.  */
#ifndef PATHRT_CYCLES_H
#define PATHRT_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

/* Cycles spent in finished activations of this thread.  Instrumented code reads and writes this variable.  */
extern __thread uint64_t __pathrt_callees __attribute__((tls_model("initial-exec")));

/* True if the module contains code that measures cycles.  Such modules define __pathrt_callees.  */
extern bool pathrt_measures_cycles;

/* Cost of reading the clock, in cycles.  An activation reads the clock at its start and at its end.  Without a
 * correction, the measured cycles of the activation's own paths and of the caller's paths would each include the cost
 * of one reading.  Instrumented code reads this variable.  */
extern uint64_t __pathrt_reading;

/* Measures the cost of reading the clock.  Must be called before any instrumented code that measures cycles is
 * executed.  */
void pathrt_cycles_start(void);

/* Returns the apparent duration of an empty path on an idle processor, in 256ths of a cycle.  The duration is measured
 * only once.  */
uint64_t pathrt_cost_of_cycles(void);

/* Returns the apparent duration of an empty path in this process, in 256ths of a cycle.  On a busy machine, this
 * duration is longer, because the time-stamp counter keeps running while other processes use the processor.  */
uint64_t pathrt_cost_in_place(void);

/* Returns the factor, in 256ths, by which waiting for a processor increased a thread's elapsed time.  `schedstat` is
 * the text of /proc/PID/schedstat, which contains the nanoseconds spent on a processor and the nanoseconds spent
 * waiting.  Returns 256 if the text is missing or if the thread ran too briefly.  */
uint64_t pathrt_stretch_of(const char *schedstat);

#endif
