/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Exact termination: what instrumented code does with its thread's stack of activations, where it does more than take
 * the place at the top or give it back.  */
#ifndef PATHRT_FRAME_STACK_H
#define PATHRT_FRAME_STACK_H

#include "libpathrt/storage/frames.h"

/* At the start of an activation of a function: takes the place at the top of the stack, and returns it.  Without memory
 * that is pathrt_no_frames.  */
struct pathprof_frame *__pathrt_enter(const struct pathprof_frame_info *info);
/* Likewise where `place` was found at the top: takes the first one of the next chunk where it is the end of one.  The
 * path of an activation that never gave its place back is counted.  */
struct pathprof_frame *__pathrt_enter_at(struct pathprof_frame *place, const struct pathprof_frame_info *info);
/* At its end.  */
void __pathrt_leave(struct pathprof_frame *frame);
/* In a handler of an activation, whose frame is given: those above it are over.  */
void __pathrt_unwound(struct pathprof_frame *frame);
/* Where setjmp returns again or a nonlocal goto arrives: activations above this one are over, and so is this one's own
 * path.  */
void __pathrt_jumped(struct pathprof_frame *frame);

#endif
