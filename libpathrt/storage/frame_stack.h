/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Exact termination: operations on a thread's stack of activations.  The operations are too complex for inline
 * code.  */
#ifndef PATHRT_FRAME_STACK_H
#define PATHRT_FRAME_STACK_H

#include "libpathrt/storage/frames.h"

/* Pushes a frame at the start of an activation.  Returns the frame, or pathrt_no_frames if memory is exhausted.  */
struct pathprof_frame *__pathrt_enter(const struct pathprof_frame_info *info);
/* Same as __pathrt_enter, but for a caller that has already read the top of the stack.  Uses the slot at the top,
 * `place`.  If `place` is an end marker, uses the first slot of the next chunk.  If the slot still contains the frame
 * of an earlier activation that ended without popping it, counts that activation's path.  */
struct pathprof_frame *__pathrt_enter_at(struct pathprof_frame *place, const struct pathprof_frame_info *info);
/* Pops the frame at the end of an activation.  */
void __pathrt_leave(struct pathprof_frame *frame);
/* Pops the frames above `frame` and counts their paths.  Called in exception handlers of the activation that owns
 * `frame`.  */
void __pathrt_unwound(struct pathprof_frame *frame);
/* Pops the frames above `frame` and counts their paths and the path in `frame` itself.  Called when longjmp makes
 * setjmp return again, or when a nonlocal goto reaches its label.  */
void __pathrt_jumped(struct pathprof_frame *frame);

#endif
