/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Exact termination: each thread has a stack of its open activations, apart from the machine's, so that
 * what exit, longjmp, an exception or a signal cut short can be counted, also from another thread.
 *
 * Instrumented code stores its path register and the call's number in its frame before each call that
 * may not return, and notes that it counted a path.  A frame with a call holds a path that ends there, if
 * nothing of the activation follows.  A place that was given back is in no call: where a stack ends matters only to
 * those who want to know which activations are open (libpathrt/storage/frame_stack.h).  */
#ifndef PATHRT_FRAMES_H
#define PATHRT_FRAMES_H

#include "libpathrt/storage/thread.h"
#include "profile/format/abi.h"

/* The header of a chunk, in the place of its first frame.  */
struct pathrt_frames {
  struct pathrt_frames *older, *newer;
  struct pathrt_thread *owner;
  uint64_t ordinal;
};

/* What ends a chunk.  Instrumented code first moves the top above a place and then looks whether it is one: signal
 * handlers that come between the two look at the next one, each of those that interrupt one another.  */
enum { PATHRT_ENDS_OF_FRAMES = 8 };

/* The place of activations that found no memory for one, and the ends above it: where stacks without a chunk begin.
 * Many may have the place, and nobody reads it.  */
extern struct pathprof_frame pathrt_no_frames[1 + PATHRT_ENDS_OF_FRAMES];

/* The first place of a chunk, and what is behind its last one.  */
static inline struct pathprof_frame *pathrt_first_frame(struct pathrt_frames *chunk) {
  return (struct pathprof_frame *)(void *)chunk + 1;
}
static inline struct pathprof_frame *pathrt_end_of_frames(struct pathrt_frames *chunk) {
  return (struct pathprof_frame *)((uintptr_t)chunk + PATHPROF_FRAME_CHUNK) - PATHRT_ENDS_OF_FRAMES;
}

/* The chunk above another one, or a thread's first chunk where that is null.  Null without memory.  */
struct pathrt_frames *pathrt_next_frames(struct pathrt_thread *thread, struct pathrt_frames *below);

/* Counts the path of the thread's activation, if it is in a call, as cut short there.  */
void pathrt_frame_close(const struct pathrt_thread *thread, struct pathprof_frame *frame);

/* Counts the paths of all open activations, of all threads, as cut short here.  */
void pathrt_frames_close_all(void);
/* Calls a function for the path of each open activation, of all threads, as cut short here: the table in which such
 * paths of the function are counted, and the path's number there.  The activations stay in their paths.  */
void pathrt_each_cut_path(void (*visit)(struct pathprof_table *prefixes, uint64_t id));
/* At the end of a thread: counts the paths of its open activations as cut short, and drops these.  */
void pathrt_frames_end(struct pathrt_thread *thread);
/* In the child of a fork: what its thread ran up to the calls that it is in, the parent counts.  The activations of the
 * parent's other threads are dropped uncounted.  */
void pathrt_frames_after_fork(void);
/* Prints, for each thread, the activation that it left last and its open ones, innermost first, with
 * their paths' numbers.  False where there is no such thread.  Async-signal-safe.  */
bool pathrt_frames_print(int fd);
void pathrt_frames_free(void);

#endif
