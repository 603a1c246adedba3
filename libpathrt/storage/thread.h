/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Manages the state of each thread: a copy of the module's counters (update=thread) and a stack of open activations
 * (exact termination).  The first thread uses the counter section itself.
 *
 * When a thread ends, the next thread that starts takes over its state, including counts that have not been written
 * yet.  The number of copies therefore never exceeds the maximum number of simultaneous threads.  */
#ifndef PATHRT_THREAD_H
#define PATHRT_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/memory/section.h"
#include "profile/format/abi.h"

struct pathrt_thread {
  struct pathrt_thread *next;   /* next state in the list of all thread states; the list only grows */
  unsigned long in_use;         /* 1 or 0; not bool, because RISC-V has no atomic instructions for single bytes */
  uint64_t id;                  /* thread ID of the operating system */
  uint64_t tls_counter_offset;  /* offset from the counter section to the thread's copy; 0 if the thread has no copy */
  struct pathrt_frames *frames; /* bottom chunk of the stack of activations (libpathrt/storage/frames.h), or null */
  struct pathprof_frame **top;  /* address of the thread-local variable that contains the top of the stack, or null if
                                   there is no stack yet */
  struct pathrt_frames *full;   /* last chunk if another chunk could not be allocated, otherwise null */
  bool uses_segment;            /* code of the thread can address the counters relative to %gs until the thread ends */
  void *routine, *argument;     /* start routine of a thread that has not started yet, and its argument */
};

/* Initializes thread handling; called once, before any thread can end.  `close` is called at the end of each thread,
 * before another thread can take over its state.  */
void pathrt_thread_start(void (*close)(struct pathrt_thread *));

/* Returns the state of the calling thread.  Returns null if memory is exhausted, or if `make` is false and the thread
 * has no state.  */
struct pathrt_thread *pathrt_thread_self(bool make);

/* Reserves a state for a thread that will be started, or returns null if memory is exhausted.  The new thread adopts
 * the state as its own.  If no thread is started, the state must be released with pathrt_thread_return().  */
struct pathrt_thread *pathrt_thread_reserve(void);
void pathrt_thread_adopt(struct pathrt_thread *thread);
void pathrt_thread_return(struct pathrt_thread *thread);

/* Maps a copy of the counters for the thread, unless the thread has a copy or uses the counter section itself.  Returns
 * false if memory is exhausted.  */
bool pathrt_thread_map_copy(struct pathrt_thread *thread);

/* Returns the list of all thread states, including those of ended threads.  */
struct pathrt_thread *pathrt_threads(void);

/* Returns true if the thread uses the counter section itself instead of a copy.  This applies to the thread that owns
 * the state that was created first.  */
static inline bool pathrt_has_section(const struct pathrt_thread *thread) {
  return !thread->next;
}

/* Sets the function that detaches a thread from its copy of the counters.  This function is called at the end of each
 * thread.  */
void pathrt_thread_forget_copy_with(void (*forget)(void));

/* Returns the address in the thread's copy that corresponds to `shared`, or null if the thread has no copy.  */
static inline void *pathrt_in_copy(const struct pathrt_thread *thread, void *shared) {
  uint64_t tls_counter_offset = __atomic_load_n(&thread->tls_counter_offset, __ATOMIC_ACQUIRE);
  return tls_counter_offset ? (unsigned char *)shared + tls_counter_offset : NULL;
}

/* Prepares the copy of the counters at offset `tls_counter_offset` for counting.  */
void pathrt_prepare_copy(uint64_t tls_counter_offset);
/* Prepares all copies of the counters for counting after their memory was remapped.  */
void pathrt_prepare_copies(void);

/* In the child of a fork, marks the states of the parent's other threads as unused.  */
void pathrt_threads_after_fork(void);
/* In the child of a fork, keeps only the calling thread's copy.  Returns the offset of that copy.  */
uint64_t pathrt_threads_keep_own(void);
/* Frees all thread states when the module is unloaded.  No thread may still be running code from the module.  */
void pathrt_threads_free(void);

#endif
