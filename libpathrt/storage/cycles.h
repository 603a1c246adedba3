/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Cycles spent on paths (metric=tsc), excluding called activations.
 *
 * The clock of a thread is the time-stamp counter minus the time of finished activations, so it stands still during
 * calls.  An activation records the clock when it starts.  When it ends, it sets the time of finished activations so
 * that the caller's clock has not moved.  An activation that is unwound sets nothing; its time belongs to the path that
 * continues.  */
#ifndef PATHRT_CYCLES_H
#define PATHRT_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

/* Cycles of finished activations of this thread.  Instrumented code reads and writes this variable.  */
extern __thread uint64_t __pathrt_callees __attribute__((tls_model("initial-exec")));

/* True if the module contains code that measures cycles, and thus contains that variable.  */
extern bool pathrt_measures_cycles;

/* Cost of reading the clock, in cycles.  An activation reads the clock at its start and at its end.  The part between
 * the readings is one reading too long for its own paths, and the part outside is one reading too long for the caller's
 * paths.  Instrumented code reads this variable.  */
extern uint64_t __pathrt_reading;

/* Determines the cost of reading the clock.  Must run before instrumented code that measures cycles.  */
void pathrt_cycles_start(void);

/* Returns the apparent duration of an empty path, in 256ths of a cycle.  Measured once, without interruptions.  */
uint64_t pathrt_cost_of_cycles(void);

/* Returns the apparent duration of an empty path in this process.  While other processes use the processor, the counter
 * continues, so every measurement, including that of an empty path, is longer than on an idle machine.  */
uint64_t pathrt_cost_in_place(void);

/* Returns the factor, in 256ths, by which waiting for a processor prolonged a thread.  `schedstat` is the text of
 * /proc/PID/schedstat: nanoseconds on a processor and nanoseconds of waiting.  Returns 256 if the text is missing or
 * the thread ran too briefly.  */
uint64_t pathrt_stretch_of(const char *schedstat);

#endif
