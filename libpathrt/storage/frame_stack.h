/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Exact termination: the operations on a thread's stack of activations that are too complex for inline code.  */
#ifndef PATHRT_FRAME_STACK_H
#define PATHRT_FRAME_STACK_H

#include "libpathrt/storage/frames.h"

/* Pushes a frame at the start of an activation and returns it.  Returns pathrt_no_frames if memory is exhausted.  */
struct pathprof_frame *__pathrt_enter(const struct pathprof_frame_info *info);
/* Same as __pathrt_enter, for the top `place` that the caller has read.  If `place` is the end of a chunk, uses the
 * first slot of the next chunk.  Counts the path of an earlier activation that left the slot without popping its
 * frame.  */
struct pathprof_frame *__pathrt_enter_at(struct pathprof_frame *place, const struct pathprof_frame_info *info);
/* Pops the frame at the end of the activation.  */
void __pathrt_leave(struct pathprof_frame *frame);
/* Pops and counts the frames above `frame`, in an exception handler of its activation.  */
void __pathrt_unwound(struct pathprof_frame *frame);
/* Pops and counts the frames above `frame` and the path of its own activation, when setjmp returns again or a nonlocal
 * goto arrives.  */
void __pathrt_jumped(struct pathprof_frame *frame);

#endif
