/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Exact termination: what instrumented code does with its thread's stack of activations, where it does more than take
 * the place at the top or give it back.  */
#ifndef PATHRT_FRAME_STACK_H
#define PATHRT_FRAME_STACK_H

#include "libpathrt/storage/frames.h"

/* `behind` is the end of an activation's frame: what is the top of the stack as long as nothing is above it.  */

/* At the start of an activation: takes the place at the top, which the caller fills, and returns its end.  Without
 * memory that of a place that many may have and nobody reads.  */
struct pathprof_frame *__pathrt_enter(void);
/* At its end: activations above this one are over, and this one.  */
void __pathrt_leave(struct pathprof_frame *behind);
/* In a handler of this activation: those above it are over.  */
void __pathrt_unwound(struct pathprof_frame *behind);
/* Where setjmp returns again or a nonlocal goto arrives: activations above this one are over, and so is this one's own
 * path.  */
void __pathrt_jumped(struct pathprof_frame *behind);

#endif
