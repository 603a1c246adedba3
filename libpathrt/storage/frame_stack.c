/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Manages the top of a thread's stack of activations.  The top is a thread-local variable.  It is defined in a separate
 * file so that only modules that need the stack contain it.  Shared libraries loaded at run time have little space for
 * thread-local variables.  */
#include "libpathrt/storage/frame_stack.h"

#include <stdbool.h>
#include <stddef.h>

/* Address of the slot for the next activation's frame, or of an end marker if the chunk is full.  */
__thread struct pathprof_frame *__pathrt_frame_top __attribute__((tls_model("initial-exec"))) = pathrt_no_frames + 1;

/* Returns the chunk that contains `frame`, or null for a frame in pathrt_no_frames.  */
static struct pathrt_frames *chunk_of(struct pathprof_frame *frame) {
  if (frame >= pathrt_no_frames && frame <= pathrt_no_frames + PATHRT_ENDS_OF_FRAMES)
    return NULL;
  return (struct pathrt_frames *)((uintptr_t)frame & -(uintptr_t)PATHPROF_FRAME_CHUNK);
}

/* Returns the address after a thread's newest frame, and stores the frame's chunk in `*chunk`.  Returns null if the
 * thread has no chunk.  */
static struct pathprof_frame *newest(const struct pathrt_thread *thread, struct pathrt_frames **chunk) {
  struct pathprof_frame *top = __pathrt_frame_top;
  *chunk = chunk_of(top);
  if (*chunk)
    return top;
  *chunk = thread->full;
  return *chunk ? pathrt_end_of_frames(*chunk) : NULL;
}

/* Returns true if `frame` is an open frame on the thread's stack.  */
static bool is_open(const struct pathrt_thread *thread, struct pathprof_frame *frame) {
  struct pathrt_frames *chunk = chunk_of(frame), *last;
  if (!thread || !chunk || chunk->owner != thread)
    return false;
  struct pathprof_frame *top = newest(thread, &last);
  return last && (chunk->ordinal < last->ordinal || (chunk == last && frame < top));
}

/* Pops all frames above an open frame, and counts their paths.  */
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

/* Returns the slot for a new frame: `place`, or the first slot of the next chunk if `place` is an end marker.  Returns
 * pathrt_no_frames if memory is exhausted.  */
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

/* Moves the top of the stack before checking the slot, so that the activations of signal handlers use slots above this
 * slot.  */
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
