/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Exact termination: each thread has a stack of its open activations, apart from the machine's, so that
 * what exit, longjmp, an exception or a signal cut short can be counted, also from another thread.
 *
 * Instrumented code stores its path register and the call's number in its frame before each call that
 * may not return, and notes that it counted a path.  A frame with a call holds a path that ends there, if
 * nothing of the activation follows.  */
#ifndef PATHRT_FRAMES_H
#define PATHRT_FRAMES_H

#include "libpathrt/storage/thread.h"
#include "profile/format/abi.h"

/* At the start and the end of an activation.  */
struct pathprof_frame *__pathrt_enter(const struct pathprof_frame_info *info, uint64_t base);
void __pathrt_leave(struct pathprof_frame *frame);
/* In a handler of this activation: those above it are over.  */
void __pathrt_unwound(struct pathprof_frame *frame);
/* Where setjmp returns again or a nonlocal goto arrives: activations above this one are over, and so is this one's own
 * path.  */
void __pathrt_jumped(struct pathprof_frame *frame);

/* Counts the paths of all open activations, of all threads, as cut short here; the activations stay open, and what they
 * go on to do counts anew.  */
void pathrt_frames_close_all(void);
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
