/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Exact termination: each thread has a separate stack of its open activations.  With this stack, paths that are
 * truncated by exit, longjmp, an exception or a signal can be counted, even by another thread.
 *
 * Before each call that may not return, instrumented code stores its path register and the number of the call in its
 * frame.  Instrumented code also records in the frame that a path has been counted.  A frame with a call number
 * represents a path that ends at the call unless the activation continues.  A popped frame has no call number, so the
 * position of the top matters only for listing open activations (libpathrt/storage/frame_stack.h).  */
#ifndef PATHRT_FRAMES_H
#define PATHRT_FRAMES_H

#include "libpathrt/storage/thread.h"
#include "profile/format/abi.h"

/* Header of a chunk, stored in the chunk's first slot in place of a frame.  */
struct pathrt_frames {
  struct pathrt_frames *older, *newer;
  struct pathrt_thread *owner;
  uint64_t ordinal;
};

/* Number of end markers at the end of a chunk.  Instrumented code first increments the top of the stack and then checks
 * whether its slot is an end marker.  A signal handler that runs between these two steps increments the top again and
 * checks the next slot, so each level of nested handlers needs its own marker.  */
enum { PATHRT_ENDS_OF_FRAMES = 8 };

/* Frame shared by all activations that have no frame of their own because memory was exhausted.  It is followed by end
 * markers.  The top of a stack that has no chunk points to the first of these end markers.  Many activations can write
 * to this frame at the same time, but its contents are never used.  */
extern struct pathprof_frame pathrt_no_frames[1 + PATHRT_ENDS_OF_FRAMES];

/* Return the bounds of a chunk's slots: the first slot and the end of the last slot.  */
static inline struct pathprof_frame *pathrt_first_frame(struct pathrt_frames *chunk) {
  return (struct pathprof_frame *)(void *)chunk + 1;
}
static inline struct pathprof_frame *pathrt_end_of_frames(struct pathrt_frames *chunk) {
  return (struct pathprof_frame *)((uintptr_t)chunk + PATHPROF_FRAME_CHUNK) - PATHRT_ENDS_OF_FRAMES;
}

/* Returns the chunk above `below`, or the first chunk of the thread's stack if `below` is null.  Creates the chunk if
 * it does not exist.  Returns null if memory is exhausted.  */
struct pathrt_frames *pathrt_next_frames(struct pathrt_thread *thread, struct pathrt_frames *below);

/* If the activation is executing a call, counts its path as truncated at this call.  */
void pathrt_frame_close(const struct pathrt_thread *thread, struct pathprof_frame *frame);

/* Counts the path of each open activation, in all threads, as truncated.  */
void pathrt_frames_close_all(void);
/* Calls `visit` for each open activation that is executing a call, in all threads.  The arguments of `visit` are the
 * table that counts the function's truncated paths, and the ID of the path truncated at the call.  Does not end the
 * paths.  */
void pathrt_each_cut_path(void (*visit)(struct pathprof_table *prefixes, uint64_t id));
/* Counts the paths of a thread's open activations as truncated, and pops the frames.  Called when the thread ends.  */
void pathrt_frames_end(struct pathrt_thread *thread);
/* Called in the child of a fork.  Marks the paths that the forking thread had started, because the parent counts these
 * paths.  Removes the activations of the parent's other threads without counting their paths.  */
void pathrt_frames_after_fork(void);
/* For each thread, prints the function of the activation that returned most recently, and the functions and path IDs of
 * all open activations, innermost first.  Returns false if no thread has a stack.  This function is
 * async-signal-safe.  */
bool pathrt_frames_print(int fd);
void pathrt_frames_free(void);

#endif
