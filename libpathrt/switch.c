/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Each module has a byte that its code asks (libpathrt/storage/switched.h); these functions set the bytes of all.
 *
 * The timer of PATHPROF_SWITCH=DUTY/PERIOD is a thread: a signal would interrupt what the program waits in.  Its code
 * is that of one module, the owner, and it has ended before that module goes.  */
#define _GNU_SOURCE
#include "libpathrt/switch.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libpathrt/file/write.h"
#include "libpathrt/process/decimal.h"
#include "libpathrt/process/entry.h"
#include "libpathrt/process/message.h"
#include "libpathrt/process/switched.h"

void pathrt_switch_all(bool on) {
  pathrt_note_switched(on);
  for (struct pathrt_module *each = pathrt_registry.modules; each; each = each->next)
    each->set_switch(on);
}

/* ---- the timer ---- */

/* Until the time is over; false if the timer is to end.  */
static bool wait_for(uint64_t nanoseconds) {
  struct timespec now, end;
  const int64_t second = 1000000000;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += (time_t)(nanoseconds / (uint64_t)second);
  end.tv_nsec += (long)(nanoseconds % (uint64_t)second);
  end.tv_sec += end.tv_nsec / second;
  end.tv_nsec %= second;
  for (;;) {
    if (__atomic_load_n(&pathrt_registry.timer_ends, __ATOMIC_ACQUIRE))
      return false;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct timespec left = {end.tv_sec - now.tv_sec, end.tv_nsec - now.tv_nsec};
    left.tv_sec -= left.tv_nsec < 0;
    left.tv_nsec += left.tv_nsec < 0 ? second : 0;
    if (left.tv_sec < 0 || (left.tv_sec == 0 && left.tv_nsec == 0))
      return true;
    syscall(SYS_futex, &pathrt_registry.timer_ends, FUTEX_WAIT_PRIVATE, 0, &left, NULL, 0);
  }
}

static void turn(bool on) {
  struct pathrt_entry entry;
  if (!pathrt_enter(&entry, true))
    return;
  pathrt_switch_all(on);
  pathrt_leave(&entry);
}

void pathrt_switch_run_timer(void) {
  uint64_t on = pathrt_registry.switch_on_for, off = pathrt_registry.switch_period - on;
  for (;;) {
    turn(true);
    bool goes_on = wait_for(on);
    turn(false);
    if (!goes_on || !wait_for(off))
      return;
  }
}

/* The thread handles none of the program's signals.  */
static bool start_thread(struct pathrt_module *module) {
  sigset_t all, mask;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  size_t size = 65536;
  pthread_attr_setstacksize(&attributes, size < (size_t)PTHREAD_STACK_MIN ? (size_t)PTHREAD_STACK_MIN : size);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mask);
  bool ok = pthread_create(&pathrt_registry.timer, &attributes, module->run_timer, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  pthread_attr_destroy(&attributes);
  return ok;
}

static void start_timer(struct pathrt_module *module) {
  if (!pathrt_registry.switch_period || pathrt_registry.timer_owner || !module)
    return;
  pathrt_registry.timer_ends = 0;
  if (!start_thread(module)) {
    pathrt_error("PATHPROF_SWITCH: there is no thread for the timer; the program stays off", NULL);
    pathrt_registry.switch_period = 0;
    return;
  }
  pathrt_registry.timer_owner = module;
}

/* The thread may be about to enter the registry, so that has to be free.  */
static void end_timer(void) {
  __atomic_store_n(&pathrt_registry.timer_ends, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &pathrt_registry.timer_ends, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
  pthread_join(pathrt_registry.timer, NULL);
  pathrt_registry.timer_owner = NULL;
}

/* ---- the signal ---- */

static void install(struct pathrt_module *module) {
  struct sigaction action;
  char number[PATHRT_DECIMAL_SIZE];
  int signal = pathrt_registry.switch_signal;
  if (!signal || pathrt_registry.switch_owner)
    return;
  if (sigaction(signal, NULL, &action) == 0 &&
      ((action.sa_flags & SA_SIGINFO) || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN))) {
    pathrt_error("PATHPROF_SWITCH_SIGNAL: there is a handler for signal ", pathrt_decimal(number, (uint64_t)signal),
                 " already; it is left in place", NULL);
    pathrt_registry.switch_signal = 0;
    return;
  }
  action.sa_sigaction = module->on_switch_signal;
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  if (sigaction(signal, &action, NULL) == 0)
    pathrt_registry.switch_owner = module;
}

static void uninstall(struct pathrt_module *module) {
  struct sigaction action;
  int signal = pathrt_registry.switch_signal;
  if (pathrt_registry.switch_owner != module)
    return;
  pathrt_registry.switch_owner = NULL;
  if (sigaction(signal, NULL, &action) != 0 || action.sa_sigaction != module->on_switch_signal)
    return;
  action.sa_handler = SIG_DFL;
  action.sa_flags = 0;
  sigaction(signal, &action, NULL);
  if (pathrt_registry.modules)
    install(pathrt_registry.modules);
}

/* A signal that was queued with a number says on or off (sigqueue; 1 or 0), any other one the opposite of what is.  */
void pathrt_switch_handle(const siginfo_t *info) {
  int saved_errno = errno;
  struct pathrt_entry entry;
  bool is_told = info && info->si_code == SI_QUEUE;
  if (pathrt_enter(&entry, true)) {
    pathrt_switch_all(is_told ? info->si_value.sival_int != 0 : !pathrt_registry.switched_on);
    pathrt_leave(&entry);
  }
  errno = saved_errno;
}

/* ---- modules ---- */

void pathrt_switch_add(struct pathrt_module *module) {
  module->set_switch(pathrt_registry.switched_on);
  install(module);
  start_timer(module);
}

void pathrt_switch_remove(struct pathrt_module *module) {
  struct pathrt_entry entry;
  bool had_timer = pathrt_registry.timer_owner == module;
  if (had_timer)
    end_timer();
  if (!pathrt_enter(&entry, true))
    return;
  uninstall(module);
  if (had_timer)
    start_timer(pathrt_registry.modules);
  pathrt_leave(&entry);
}

void pathrt_switch_after_fork(void) {
  struct pathrt_module *owner = pathrt_registry.timer_owner;
  pathrt_registry.timer_owner = NULL;
  if (owner)
    start_timer(owner);
}

void pathrt_switch_restrict(void) {
  if (!pathrt_registry.timer_owner)
    return;
  end_timer();
  pathrt_registry.switch_period = 0;
}
