/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Gives each thread of a program its own counters through the segment register %gs (x86-64).
 *
 * Code that is compiled for executables with update=thread addresses counters relative to the base of %gs.  The base is
 * 0 when the process starts, so the first thread uses the counter section itself.  A new thread inherits the base of
 * the thread that creates it.  Therefore, this file defines pthread_create and thrd_create, which map a copy of the
 * counter section for the new thread, and set the base to the offset of the copy before the thread executes code of the
 * program. Libraries that create threads, such as libstdc++ and libgomp, call these definitions, too, because the
 * dynamic linker searches the executable first.  */
#define _GNU_SOURCE
#include "libpathrt/storage/segment.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <threads.h>

bool pathrt_uses_segment;

#if defined __x86_64__

#include <asm/prctl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "libpathrt/process/message.h"
#include "libpathrt/process/process.h"
#include "libpathrt/process/registry.h"
#include "libpathrt/storage/thread.h"
#include "profile/format/system.h"

/* Bit of AT_HWCAP2: the kernel allows programs to execute the wrgsbase instruction.  */
#define HWCAP2_FSGSBASE 2

/* Sets the base of %gs.  The system call rejects offsets above the address space of the process, which occur if the
 * copy has a lower address than the counter section.  The instruction accepts them.  */
static bool set_base(uint64_t offset) {
  if (!pathrt_registry.restricted && pathprof_sys_call(SYS_arch_prctl, ARCH_SET_GS, (long)offset, 0, 0, 0, 0) == 0)
    return true;
  if (!(pathprof_sys_auxiliary(AT_HWCAP2) & HWCAP2_FSGSBASE))
    return false;
  __asm__ volatile("wrgsbase %0" : : "r"(offset) : "memory");
  return true;
}

/* Makes `thread` the state of the calling thread, which is starting.  If the base cannot be set, the thread counts in
 * the copy of the thread that created it, and counts can be lost.  */
static void adopt(struct pathrt_thread *thread) {
  static bool is_reported;
  int saved_errno = errno;
  pathrt_thread_adopt(thread);
  if (!set_base(thread->tls_counter_offset) && !__atomic_exchange_n(&is_reported, true, __ATOMIC_RELAXED))
    pathrt_note("the kernel does not let a thread set the base of %gs; counts from threads may be lost", NULL);
  errno = saved_errno;
}

/* Reserves a state with a copy of the counters for a new thread.  Returns null if no copy is needed or memory is
 * exhausted.  The first state must belong to the first thread, which uses the counter section.  */
static struct pathrt_thread *reserve(void *routine, void *argument) {
  if (!pathrt_uses_segment)
    return NULL;
  int saved_errno = errno;
  struct pathrt_thread *creator = pathrt_thread_self(true);
  if (creator)
    creator->uses_segment = true;
  struct pathrt_thread *thread = creator ? pathrt_thread_reserve() : NULL;
  if (thread && !pathrt_thread_map_copy(thread)) {
    pathrt_thread_return(thread);
    thread = NULL;
  }
  if (thread) {
    thread->uses_segment = true;
    thread->routine = routine;
    thread->argument = argument;
  }
  errno = saved_errno;
  return thread;
}

static void *run_thread(void *data) {
  struct pathrt_thread *thread = data;
  void *(*routine)(void *) = (void *(*)(void *))thread->routine;
  void *argument = thread->argument;
  adopt(thread);
  return routine(argument);
}

typedef int create_thread(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int create_c11_thread(thrd_t *, thrd_start_t, void *);

/* The name of pthread_create in statically linked C libraries.  The driver makes the linker include it.  */
extern create_thread __pthread_create __attribute__((weak));

static int create_in_library(pthread_t *id, const pthread_attr_t *attributes, void *(*routine)(void *),
                             void *argument) {
  create_thread *create = __pthread_create ? __pthread_create : (create_thread *)dlsym(RTLD_NEXT, "pthread_create");
  return create ? create(id, attributes, routine, argument) : ENOSYS;
}

static int create_counting(pthread_t *id, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument) {
  struct pathrt_thread *thread = reserve((void *)routine, argument);
  if (!thread)
    return create_in_library(id, attributes, routine, argument);
  int fault = create_in_library(id, attributes, run_thread, thread);
  if (fault)
    pathrt_thread_return(thread);
  return fault;
}

/* In glibc and musl, a C11 thread is a POSIX thread, and its result is the lower half of the POSIX thread's result.  */
static int create_counting_c11(thrd_t *id, thrd_start_t routine, void *argument) {
  int fault = create_counting(id, NULL, (void *(*)(void *))(void *)routine, argument);
  return fault == 0 ? thrd_success : fault == ENOMEM ? thrd_nomem : thrd_error;
}

/* If the program defines these functions itself, its definitions take precedence.  */
#define OVERRIDABLE(function) __attribute__((visibility("default"), weak, alias(#function)))
OVERRIDABLE(create_counting) create_thread pthread_create;
OVERRIDABLE(create_counting_c11) create_c11_thread thrd_create;

/* Runs before the runtime writes the counts.  */
static __attribute__((destructor(101))) void check_definitions(void) {
  if (pathrt_uses_segment && (pthread_create != create_counting || thrd_create != create_counting_c11) &&
      !pathrt_is_single_threaded())
    pathrt_note("the program defines pthread_create or thrd_create, so counts of its threads can be lost; compile with "
                "-fplugin-arg-pathprof-update=atomic",
                NULL);
}

#endif
