/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What the runtime keeps for each thread: a copy of this module's counters (update=thread) and a stack
 * of open activations (exact termination).  The first thread's copy is the section of counters itself.
 *
 * The state of a thread that ended is handed to the next one that starts: counts stay where they are
 * until they are written, and there are never more copies than threads at one time.  */
#ifndef PATHRT_THREAD_H
#define PATHRT_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/memory/section.h"
#include "profile/format/abi.h"

struct pathrt_thread {
  struct pathrt_thread *next; /* in the list of all, which only grows */
  bool in_use;
  uint64_t id;                  /* of the thread that has it, as the system numbers threads */
  uint64_t tls_counter_offset;  /* from an address in the counters' section to that in the copy; 0: no other copy */
  struct pathrt_frames *frames; /* its stack of activations (libpathrt/storage/frames.h), from the bottom; null: none */
  struct pathprof_frame **top;  /* the thread's own variable that says where the next one goes; null: no stack yet */
  struct pathrt_frames *full;   /* its last chunk when there was no memory for the next one */
};

/* Once, before the first thread that could end.  `close`: called at the end of each thread, before its state is handed
 * on.  */
void pathrt_thread_start(void (*close)(struct pathrt_thread *));

/* The calling thread's state, or null without memory (or, with `make` false, where it has none).  */
struct pathrt_thread *pathrt_thread_self(bool make);

/* All threads' states, the ended ones' included.  */
struct pathrt_thread *pathrt_threads(void);

/* Whether the section itself is the state's copy.  Of the states that there are one has it, that of the first thread;
 * with the state it passes to another thread.  */
static inline bool pathrt_has_section(const struct pathrt_thread *thread) {
  return !thread->next;
}

/* What is to be called at the end of a thread, after which it has no copy.  */
void pathrt_thread_forget_copy_with(void (*forget)(void));

/* The same counters, or the same table head, in a thread's other copy; null where it has none.  */
static inline void *pathrt_in_copy(const struct pathrt_thread *thread, void *shared) {
  uint64_t tls_counter_offset = __atomic_load_n(&thread->tls_counter_offset, __ATOMIC_ACQUIRE);
  return tls_counter_offset ? (unsigned char *)shared + tls_counter_offset : NULL;
}

/* Makes a copy at that distance ready for counting.  */
void pathrt_prepare_copy(uint64_t tls_counter_offset);
/* All of them, after their memory was made anew.  */
void pathrt_prepare_copies(void);

/* In the child of a fork: the other threads are gone.  */
void pathrt_threads_after_fork(void);
/* In such a child only the calling thread's copy stays mapped.  Returns what that thread adds to addresses.  */
uint64_t pathrt_threads_keep_own(void);
/* Called as the module is unloaded: no thread may run its code any more.  */
void pathrt_threads_free(void);

#endif
