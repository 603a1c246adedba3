/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The top of a thread's stack of activations.  In a file of its own, so that only modules with such functions have its
 * thread-local variable: the space for such variables of objects that a program opens is small.  */
#include "libpathrt/storage/frame_stack.h"

#include <stdbool.h>
#include <stddef.h>

/* Where the next activation's frame goes, or the end of a chunk.  */
__thread struct pathprof_frame *__pathrt_frame_top __attribute__((tls_model("initial-exec"))) = pathrt_no_frames + 1;

/* The chunk that a place or an end lies in; null where that is none.  */
static struct pathrt_frames *chunk_of(struct pathprof_frame *frame) {
  if (frame >= pathrt_no_frames && frame <= pathrt_no_frames + PATHRT_ENDS_OF_FRAMES)
    return NULL;
  return (struct pathrt_frames *)((uintptr_t)frame & -(uintptr_t)PATHPROF_FRAME_CHUNK);
}

/* What is behind the newest frame of a thread that has chunks, and the chunk.  */
static struct pathprof_frame *newest(const struct pathrt_thread *thread, struct pathrt_frames **chunk) {
  struct pathprof_frame *top = __pathrt_frame_top;
  *chunk = chunk_of(top);
  if (*chunk)
    return top;
  *chunk = thread->full;
  return *chunk ? pathrt_end_of_frames(*chunk) : NULL;
}

/* Whether the frame is one of the thread's open ones.  */
static bool is_open(const struct pathrt_thread *thread, struct pathprof_frame *frame) {
  struct pathrt_frames *chunk = chunk_of(frame), *last;
  if (!thread || !chunk || chunk->owner != thread)
    return false;
  struct pathprof_frame *top = newest(thread, &last);
  return last && (chunk->ordinal < last->ordinal || (chunk == last && frame < top));
}

/* Counts what lies above an open frame, which becomes the newest one.  */
static void pop_above(const struct pathrt_thread *thread, struct pathprof_frame *frame) {
  struct pathrt_frames *chunk;
  struct pathprof_frame *above = newest(thread, &chunk);
  for (;;) {
    if (above == pathrt_first_frame(chunk)) {
      chunk = chunk->older;
      above = pathrt_end_of_frames(chunk);
    }
    if (--above == frame)
      break;
    if (above->call == PATHPROF_FRAME_END)
      continue;
    pathrt_frame_close(thread, above);
    above->call = PATHPROF_FRAME_NO_CALL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __pathrt_frame_top = above;
  }
}

/* The place that is taken instead of one.  */
static struct pathprof_frame *place_for(struct pathrt_thread *thread, struct pathprof_frame *place) {
  struct pathrt_frames *chunk = chunk_of(place);
  if (!thread || (chunk && place->call != PATHPROF_FRAME_END))
    return thread ? place : pathrt_no_frames;
  struct pathrt_frames *below = chunk ? chunk : thread->full, *next = pathrt_next_frames(thread, below);
  if (!next) {
    thread->full = below;
    return pathrt_no_frames;
  }
  thread->top = &__pathrt_frame_top;
  return pathrt_first_frame(next);
}

/* The top moves before the place is looked at: a signal handler's activations go above it.  */
struct pathprof_frame *__pathrt_enter_at(struct pathprof_frame *place, const struct pathprof_frame_info *info) {
  struct pathrt_thread *thread = pathrt_thread_self(true);
  struct pathprof_frame *frame = place_for(thread, place);
  __pathrt_frame_top = frame + 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (frame != pathrt_no_frames)
    pathrt_frame_close(thread, frame);
  frame->call = PATHPROF_FRAME_NO_CALL;
  frame->info = info;
  return frame;
}

struct pathprof_frame *__pathrt_enter(const struct pathprof_frame_info *info) {
  struct pathprof_frame *top = __pathrt_frame_top;
  __pathrt_frame_top = top + 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (top->call != PATHPROF_FRAME_NO_CALL)
    return __pathrt_enter_at(top, info);
  top->info = info;
  return top;
}

void __pathrt_leave(struct pathprof_frame *frame) {
  frame->call = PATHPROF_FRAME_NO_CALL;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __pathrt_frame_top = frame;
}

void __pathrt_unwound(struct pathprof_frame *frame) {
  const struct pathrt_thread *thread = pathrt_thread_self(false);
  if (__pathrt_frame_top != frame + 1 && is_open(thread, frame))
    pop_above(thread, frame);
}

void __pathrt_jumped(struct pathprof_frame *frame) {
  __pathrt_unwound(frame);
  const struct pathrt_thread *thread = pathrt_thread_self(false);
  if (thread && frame != pathrt_no_frames)
    pathrt_frame_close(thread, frame);
}
