/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Manages the state of each thread.  */
#define _GNU_SOURCE
#include "libpathrt/storage/thread.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "libpathrt/memory/memory.h"
#include "libpathrt/process/registry.h"
#include "libpathrt/storage/table.h"
#include "libpathrt/storage/units.h"
#include "profile/format/system.h"

/* State of the current thread.  All other thread-local variables are defined only in modules that need them, because
 * large thread-local storage breaks threads with small stacks.  */
static __thread struct pathrt_thread *self __attribute__((tls_model("initial-exec")));
static struct pathrt_thread *all __asm__("pathrt_all_threads"); /* a debugger reads this symbol */
static pthread_key_t key;
static bool has_key;
static void (*close_thread)(struct pathrt_thread *);
static void (*forget_copy)(void);

/* Functions that tell ThreadSanitizer, if present, that one thread passes its copy of the counters to another.  */
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

/* Called when a thread ends.  If destructors of other thread-specific data run instrumented code afterwards, the thread
 * acquires a new state.  */
static void end_thread(void *data) {
  struct pathrt_thread *thread = data;
  close_thread(thread);
  self = NULL;
  if (forget_copy)
    forget_copy();
  if (__tsan_release)
    __tsan_release(thread);
  pathrt_thread_return(thread);
}

void pathrt_thread_start(void (*close)(struct pathrt_thread *)) {
  close_thread = close;
  has_key = pthread_key_create(&key, end_thread) == 0;
}

void pathrt_thread_forget_copy_with(void (*forget)(void)) {
  __atomic_store_n(&forget_copy, forget, __ATOMIC_RELAXED);
}

/* Returns true if the thread that last used the state may still run.  A thread that addresses its counters relative to
 * %gs uses its copy until the thread ends, even after end_thread, for example in destructors.  */
static bool may_run(const struct pathrt_thread *thread) {
  return thread->uses_segment &&
         (pathrt_registry.restricted || pathprof_sys_has_thread(pathprof_sys_getpid(), (pid_t)thread->id));
}

static struct pathrt_thread *take_unused(void) {
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next) {
    unsigned long unused = 0;
    if (__atomic_compare_exchange_n(&thread->in_use, &unused, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      if (may_run(thread)) {
        pathrt_thread_return(thread);
        continue;
      }
      thread->uses_segment = false;
      if (__tsan_acquire)
        __tsan_acquire(thread);
      return thread;
    }
  }
  return NULL;
}

static struct pathrt_thread *add_thread(void) {
  struct pathrt_thread *thread = pathrt_carve(sizeof *thread);
  if (!thread)
    return NULL;
  thread->in_use = 1;
  thread->next = __atomic_load_n(&all, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&all, &thread->next, thread, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
  return thread;
}

struct pathrt_thread *pathrt_thread_reserve(void) {
  struct pathrt_thread *thread = take_unused();
  return thread ? thread : add_thread();
}

void pathrt_thread_adopt(struct pathrt_thread *thread) {
  self = thread;
  if (!pathrt_registry.restricted)
    thread->id = (uint64_t)pathprof_sys_gettid();
  if (has_key)
    pthread_setspecific(key, thread);
}

void pathrt_thread_return(struct pathrt_thread *thread) {
  __atomic_store_n(&thread->in_use, 0, __ATOMIC_RELEASE);
}

static __attribute__((noinline)) struct pathrt_thread *start_thread(void) {
  int saved_errno = errno;
  struct pathrt_thread *thread = pathrt_thread_reserve();
  if (thread)
    pathrt_thread_adopt(thread);
  errno = saved_errno;
  return thread;
}

struct pathrt_thread *pathrt_thread_self(bool make) {
  return self || !make ? self : start_thread();
}

struct pathrt_thread *pathrt_threads(void) {
  return __atomic_load_n(&all, __ATOMIC_ACQUIRE);
}

void pathrt_prepare_copy(uint64_t tls_counter_offset) {
  if (!pathrt_registry.has_array_max)
    return; /* no copy has to start with an array */
  for (pathrt_unit unit = pathrt_next_unit(NULL); unit; unit = pathrt_next_unit(unit))
    for (uint64_t i = 0; i < unit->num_tables; i++)
      if (unit->tables[i].num_paths)
        pathrt_table_use_array((void *)(uintptr_t)((uintptr_t)&unit->tables[i] + tls_counter_offset),
                               unit->tables[i].num_paths);
}

/* If a signal handler maps a copy in the meantime, the new copy stays unused.  */
bool pathrt_thread_map_copy(struct pathrt_thread *thread) {
  if (thread->tls_counter_offset || pathrt_has_section(thread))
    return true;
  unsigned char *copy = pathrt_map_copy(pathrt_section_size());
  uint64_t none = 0, tls_counter_offset = copy ? (uintptr_t)copy - (uintptr_t)__start_pathprof_counters : 0;
  if (!copy)
    return false;
  pathrt_prepare_copy(tls_counter_offset);
  __atomic_compare_exchange_n(&thread->tls_counter_offset, &none, tls_counter_offset, false, __ATOMIC_RELEASE,
                              __ATOMIC_RELAXED);
  return true;
}

void pathrt_prepare_copies(void) {
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    if (thread->tls_counter_offset)
      pathrt_prepare_copy(thread->tls_counter_offset);
}

void pathrt_threads_after_fork(void) {
  for (struct pathrt_thread *thread = all; thread; thread = thread->next) {
    if (thread == self)
      thread->id = (uint64_t)pathprof_sys_getpid();
    else
      thread->in_use = 0;
  }
}

uint64_t pathrt_threads_keep_own(void) {
  for (struct pathrt_thread *thread = all; thread; thread = thread->next)
    if (thread != self)
      thread->tls_counter_offset = 0;
  return self ? self->tls_counter_offset : 0;
}

void pathrt_threads_free(void) {
  for (struct pathrt_thread *thread = all; thread; thread = thread->next) {
    if (thread->tls_counter_offset)
      pathrt_unmap_copy(__start_pathprof_counters + thread->tls_counter_offset, pathrt_section_size());
    thread->tls_counter_offset = 0;
  }
  all = NULL;
  if (has_key)
    pthread_key_delete(key);
  has_key = false;
}
