/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Exact termination: each thread has a separate stack of its open activations.  With this stack, paths that are
 * truncated by exit, longjmp, an exception or a signal can be counted, even by another thread.
 *
 * Before each call that may not return, instrumented code stores its path register and the number of the call in its
 * frame.  It also records in the frame that a path has been counted.  A frame with a call number represents a path that
 * ends at the call unless the activation continues.  A popped frame has no call number, so the position of the top
 * matters only for listing open activations (libpathrt/storage/frame_stack.h).  */
#ifndef PATHRT_FRAMES_H
#define PATHRT_FRAMES_H

#include "libpathrt/storage/thread.h"
#include "profile/format/abi.h"

/* Header of a chunk, stored in the slot of the first frame.  */
struct pathrt_frames {
  struct pathrt_frames *older, *newer;
  struct pathrt_thread *owner;
  uint64_t ordinal;
};

/* Number of end markers at the end of a chunk.  Instrumented code first increments the top and then checks whether the
 * slot is an end marker.  A signal handler that interrupts it in between checks the next slot, so nested handlers need
 * one marker each.  */
enum { PATHRT_ENDS_OF_FRAMES = 8 };

/* Shared frame for activations for which memory is exhausted, followed by end markers.  A stack without a chunk starts
 * here.  Many activations may use this frame at the same time, and nobody reads it.  */
extern struct pathprof_frame pathrt_no_frames[1 + PATHRT_ENDS_OF_FRAMES];

/* Return the first slot of a chunk, and the end of its last slot.  */
static inline struct pathprof_frame *pathrt_first_frame(struct pathrt_frames *chunk) {
  return (struct pathprof_frame *)(void *)chunk + 1;
}
static inline struct pathprof_frame *pathrt_end_of_frames(struct pathrt_frames *chunk) {
  return (struct pathprof_frame *)((uintptr_t)chunk + PATHPROF_FRAME_CHUNK) - PATHRT_ENDS_OF_FRAMES;
}

/* Returns the chunk above `below`, or the first chunk of the thread if `below` is null.  Returns null if memory is
 * exhausted.  */
struct pathrt_frames *pathrt_next_frames(struct pathrt_thread *thread, struct pathrt_frames *below);

/* Counts the path of an activation as truncated if the activation is in a call.  */
void pathrt_frame_close(const struct pathrt_thread *thread, struct pathprof_frame *frame);

/* Counts the paths of all open activations of all threads as truncated.  */
void pathrt_frames_close_all(void);
/* Calls `visit` for the truncated path of each open activation of all threads, with the function's table of truncated
 * paths and the path ID in that table.  The activations continue their paths.  */
void pathrt_each_cut_path(void (*visit)(struct pathprof_table *prefixes, uint64_t id));
/* Counts the paths of a thread's open activations as truncated and removes the activations, at the end of the
 * thread.  */
void pathrt_frames_end(struct pathrt_thread *thread);
/* Marks the current paths of the forking thread in the child, because the parent counts their executed part.  Removes
 * the activations of the parent's other threads without counting them.  */
void pathrt_frames_after_fork(void);
/* Prints for each thread the activation that returned last and the open activations, innermost first, with their path
 * IDs.  Returns false if no thread has a stack.  Async-signal-safe.  */
bool pathrt_frames_print(int fd);
void pathrt_frames_free(void);

#endif
