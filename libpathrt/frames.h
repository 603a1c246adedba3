/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Exact termination: each thread has a stack of its open activations, apart from the machine's, so that
 * what exit, longjmp, an exception or a signal cut short can be counted, also from another thread.
 *
 * Instrumented code stores its path register and the call's number in its frame before each call that
 * may not return, and notes that it counted a path.  A frame with a call holds a path that ends there, if
 * nothing of the activation follows.  */
#ifndef PATHRT_FRAMES_H
#define PATHRT_FRAMES_H

#include "libpathrt/thread.h"
#include "profile/abi.h"

/* At the start and the end of an activation.  */
struct pathprof_frame *__pathrt_enter(const struct pathprof_frame_info *info, uint64_t base);
void __pathrt_leave(struct pathprof_frame *frame);
/* In a handler of this activation: those above it are over.  */
void __pathrt_unwound(struct pathprof_frame *frame);
/* Where setjmp returns again or a nonlocal goto arrives: so is this one's own path.  */
void __pathrt_jumped(struct pathprof_frame *frame);

/* Counts the paths of all open activations of a thread, or of all threads, as cut short here; the
 * activations stay open, and what they go on to do counts anew.  */
void pathrt_frames_close(struct pathrt_thread *thread);
void pathrt_frames_close_all(void);
/* Drops a thread's activations uncounted.  */
void pathrt_frames_forget(struct pathrt_thread *thread);
/* In the child of a fork: what its thread ran up to the calls that it is in, the parent counts.  */
void pathrt_frames_after_fork(struct pathrt_thread *thread);
/* Prints, for each thread, the activation that it left last and its open ones, innermost first, with
 * their paths' numbers.  False where there is no such thread.  Async-signal-safe.  */
bool pathrt_frames_print(int fd);
void pathrt_frames_free(struct pathrt_thread *thread);

#endif
