/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The top of a thread's stack of activations.  In a file of its own, so that only modules with such functions have its
 * thread-local variable: the space for such variables of objects that a program opens is small.  */
#include "libpathrt/storage/frame_stack.h"

#include <stdbool.h>
#include <stddef.h>

/* Where the next activation's frame goes: the end of a chunk where that is full, null where there is none.  */
__thread struct pathprof_frame *__pathrt_frame_top __attribute__((tls_model("initial-exec")));

/* The frame of activations that found no memory for one.  */
static struct pathprof_frame nowhere;

/* The chunk that a frame lies in.  */
static struct pathrt_frames *chunk_of(struct pathprof_frame *frame) {
  return (struct pathrt_frames *)((uintptr_t)frame & -(uintptr_t)PATHPROF_FRAME_CHUNK);
}

/* The chunk of the frame below `top`; `top` itself may be the end of it.  */
static struct pathrt_frames *chunk_below(struct pathprof_frame *top) {
  return chunk_of(top - 1);
}

/* The frame below a place, or null at the bottom.  */
static struct pathprof_frame *below(struct pathprof_frame *place) {
  struct pathprof_frame *frame = place - 1;
  struct pathrt_frames *chunk = chunk_of(frame);
  if (frame >= pathrt_first_frame(chunk))
    return frame;
  return chunk->older ? pathrt_end_of_frames(chunk->older) - 1 : NULL;
}

/* Whether the frame is one of the thread's open ones.  */
static bool is_open(struct pathrt_thread *thread, struct pathprof_frame *frame) {
  struct pathprof_frame *top = __pathrt_frame_top;
  if (!thread || !top || frame == &nowhere)
    return false;
  struct pathrt_frames *chunk = chunk_of(frame), *newest = chunk_below(top);
  return chunk->owner == thread && (chunk->ordinal < newest->ordinal || (chunk == newest && frame < top));
}

/* Counts and drops what lies above an open frame.  */
static void pop_above(struct pathrt_thread *thread, struct pathprof_frame *frame) {
  struct pathprof_frame *above;
  while ((above = below(__pathrt_frame_top)) != frame) {
    pathrt_frame_close(thread, above);
    above->call = PATHPROF_FRAME_FREE;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __pathrt_frame_top = above;
  }
}

/* The place is taken before it is filled: a signal handler's activations go above it.  What the place
 * held before is in no call.  */
struct pathprof_frame *__pathrt_enter(void) {
  struct pathrt_thread *thread = pathrt_thread_self(true);
  if (!thread)
    return &nowhere + 1;
  struct pathprof_frame *frame = __pathrt_frame_top;
  if ((uintptr_t)frame % PATHPROF_FRAME_CHUNK == 0) {
    struct pathrt_frames *chunk = pathrt_next_frames(thread, frame ? chunk_below(frame) : NULL);
    if (!chunk)
      return &nowhere + 1;
    thread->top = &__pathrt_frame_top;
    frame = pathrt_first_frame(chunk);
  }
  __pathrt_frame_top = frame + 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return frame + 1;
}

void __pathrt_unwound(struct pathprof_frame *behind) {
  struct pathrt_thread *thread = pathrt_thread_self(false);
  if (__pathrt_frame_top != behind && is_open(thread, behind - 1))
    pop_above(thread, behind - 1);
}

void __pathrt_jumped(struct pathprof_frame *behind) {
  __pathrt_unwound(behind);
  struct pathrt_thread *thread = pathrt_thread_self(false);
  if (thread && behind - 1 != &nowhere)
    pathrt_frame_close(thread, behind - 1);
}

void __pathrt_leave(struct pathprof_frame *behind) {
  struct pathprof_frame *frame = behind - 1;
  struct pathrt_thread *thread = pathrt_thread_self(false);
  if (__pathrt_frame_top != behind) {
    if (!is_open(thread, frame))
      return;
    pop_above(thread, frame);
  }
  frame->call = PATHPROF_FRAME_FREE;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __pathrt_frame_top = frame;
}
