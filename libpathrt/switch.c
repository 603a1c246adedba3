/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Implements on-demand profiling: sets the switch byte of each module, which instrumented code checks
 * (libpathrt/storage/switched.h).  Signals can set the switch permanently or for a recording (libpathrt/recording.h).
 *
 * PATHPROF_SWITCH=DUTY/PERIOD uses a thread as its timer, because a timer signal would interrupt the program's blocking
 * calls.  The thread runs code from one module, its owner, and must end before that module is unloaded.  */
#define _GNU_SOURCE
#include "libpathrt/switch.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

#include "libpathrt/file/write.h"
#include "libpathrt/process/name.h"
#include "libpathrt/process/entry.h"
#include "libpathrt/process/message.h"
#include "libpathrt/process/process.h"
#include "libpathrt/process/switched.h"
#include "libpathrt/recording.h"
#include "profile/format/system.h"
#include "profile/format/wide.h"

void pathrt_switch_all(bool on) {
  pathrt_note_switched(on);
  pathrt_switch_modules();
}

/* ---- the timer ---- */

/* Waits for the given time, then returns true.  Returns false early if the timer thread has been told to end.  */
static bool wait_for(uint64_t nanoseconds) {
  struct timespec now, end;
  const int64_t second = 1000000000;
  pathprof_sys_clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += (time_t)(nanoseconds / (uint64_t)second);
  end.tv_nsec += (long)(nanoseconds % (uint64_t)second);
  end.tv_sec += end.tv_nsec / second;
  end.tv_nsec %= second;
  for (;;) {
    if (__atomic_load_n(&pathrt_registry.timer_ends, __ATOMIC_ACQUIRE))
      return false;
    pathprof_sys_clock_gettime(CLOCK_MONOTONIC, &now);
    struct timespec left = {end.tv_sec - now.tv_sec, end.tv_nsec - now.tv_nsec};
    left.tv_sec -= left.tv_nsec < 0;
    left.tv_nsec += left.tv_nsec < 0 ? second : 0;
    if (left.tv_sec < 0 || (left.tv_sec == 0 && left.tv_nsec == 0))
      return true;
    pathprof_sys_call(SYS_futex, (long)&pathrt_registry.timer_ends, FUTEX_WAIT_PRIVATE, 0, (long)&left, 0, 0);
  }
}

static void turn(bool on) {
  struct pathrt_entry entry;
  if (!pathrt_enter(&entry, true))
    return;
  pathrt_switch_all(on);
  pathrt_leave(&entry);
}

/* Returns a random share of the time.  */
static uint64_t part_of(uint64_t nanoseconds) {
  struct timespec now;
  pathprof_sys_clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t mixed = (uint64_t)now.tv_nsec * UINT64_C(0x9e3779b97f4a7c15);
  uint64_t part;
  pathprof_product(mixed, nanoseconds, &part);
  return part;
}

/* Switches profiling on once per period: at the start of the first period, and at a random time in each later period.
 * If the time were fixed, sampling could synchronize with periodic behaviour of the program.  */
void pathrt_switch_run_timer(void) {
  uint64_t on = pathrt_registry.switch_on_for, off = pathrt_registry.switch_period - on, behind = off;
  for (;;) {
    turn(true);
    bool goes_on = wait_for(on);
    turn(false);
    uint64_t ahead = part_of(off);
    if (!goes_on || !wait_for(behind + ahead))
      return;
    behind = off - ahead;
  }
}

/* Starts the timer thread.  In this thread, all signals are blocked, except those that the C library sends to all
 * threads.  */
static bool start_thread(struct pathrt_module *module) {
  enum { FIRST_OF_LIBRARY = 32, LAST_OF_LIBRARY = 34, LEAST_SIGNAL_STACK = 51 /* AT_MINSIGSTKSZ */ };
  pathprof_signals all = ~(pathprof_signals)0, mask;
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  pthread_attr_setstacksize(&attributes, 65536 + 4 * pathprof_sys_auxiliary(LEAST_SIGNAL_STACK));
  for (int signal = FIRST_OF_LIBRARY; signal <= LAST_OF_LIBRARY; signal++)
    all &= ~pathprof_signal_bit(signal);
  pathprof_sys_set_mask(all, &mask);
  bool ok = pthread_create(&pathrt_registry.timer, &attributes, module->run_timer, NULL) == 0;
  pathprof_sys_set_mask(mask, NULL);
  pthread_attr_destroy(&attributes);
  return ok;
}

static void start_timer(struct pathrt_module *module) {
  if (!pathrt_registry.switch_period || pathrt_registry.timer_owner || !module)
    return;
  pathrt_registry.timer_ends = 0;
  if (!start_thread(module)) {
    pathrt_error("PATHPROF_SWITCH: cannot create the timer thread; profiling stays off", NULL);
    pathrt_registry.switch_period = 0;
    return;
  }
  pathrt_registry.timer_owner = module;
}

/* The caller must not have entered the registry, because the timer thread may have to enter it before it can end.  */
static void end_timer(void) {
  __atomic_store_n(&pathrt_registry.timer_ends, 1, __ATOMIC_RELEASE);
  pathprof_sys_call(SYS_futex, (long)&pathrt_registry.timer_ends, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0);
  pthread_join(pathrt_registry.timer, NULL);
  pathrt_registry.timer_owner = NULL;
}

/* ---- signals ---- */

static bool has_handler(int signal) {
  struct pathprof_action action;
  return pathprof_sys_sigaction(signal, NULL, &action) == 0 &&
         ((action.flags & SA_SIGINFO) || (action.handler != SIG_DFL && action.handler != SIG_IGN));
}

static bool set_handler(struct pathrt_module *module, int signal) {
  struct pathprof_action action;
  action.with_info = module->on_switch_signal;
  action.flags = SA_RESTART | SA_SIGINFO;
  action.mask = 0;
  return module->set_action(signal, &action, NULL) == 0;
}

/* Removes the module's handler for a signal, unless the program has replaced it with a handler of its own.  */
static void remove_handler(struct pathrt_module *module, int signal, void (*instead)(int)) {
  struct pathprof_action action;
  if (pathprof_sys_sigaction(signal, NULL, &action) != 0 || action.with_info != module->on_switch_signal)
    return;
  action.handler = instead;
  action.flags = 0;
  pathprof_sys_sigaction(signal, &action, NULL);
}

static void install(struct pathrt_module *module) {
  char number[PATHRT_DECIMAL_SIZE];
  int signal = pathrt_registry.switch_signal;
  if (!signal || pathrt_registry.switch_owner)
    return;
  if (has_handler(signal)) {
    pathrt_error("PATHPROF_SWITCH_SIGNAL: the program has a handler for signal ",
                 pathrt_decimal(number, (uint64_t)signal), "; the handler is not replaced", NULL);
    pathrt_registry.switch_signal = 0;
    return;
  }
  if (set_handler(module, signal))
    pathrt_registry.switch_owner = module;
}

/* Removes the handler for the switch signal.  If tools were told to send requests with this signal, sets its action to
 * SIG_IGN instead of SIG_DFL: a tool may be about to send the signal, and the default action would kill the
 * process.  */
static void uninstall(struct pathrt_module *module) {
  bool was_told = pathrt_registry.request_signal == pathrt_registry.switch_signal;
  if (pathrt_registry.switch_owner != module)
    return;
  pathrt_registry.switch_owner = NULL;
  remove_handler(module, pathrt_registry.switch_signal, was_told ? SIG_IGN : SIG_DFL);
  if (pathrt_registry.modules)
    install(pathrt_registry.modules);
}

/* ---- requests from tools ---- */

/* Tools send requests with the switch signal (PATHPROF_SWITCH_SIGNAL) if the runtime handles this signal, and otherwise
 * with SIGURG.  Processes ignore SIGURG by default, so the signal is harmless if another process has reused the process
 * ID since the tool looked it up.  */
static void accept_requests(struct pathrt_module *module) {
  bool is_chosen = pathrt_registry.switch_owner;
  int signal = is_chosen ? pathrt_registry.switch_signal : SIGURG;
  if (!module->on_demand || pathrt_registry.request_owner || pathrt_registry.restricted)
    return;
  if (!is_chosen && (signal == pathrt_registry.signal || has_handler(signal) || !set_handler(module, signal)))
    return;
  pathrt_registry.request_owner = is_chosen ? pathrt_registry.switch_owner : module;
  pathrt_registry.request_signal = signal;
  pathrt_recording_announce(signal);
}

static void refuse_requests(struct pathrt_module *module) {
  if (pathrt_registry.request_owner != module)
    return;
  pathrt_registry.request_owner = NULL;
  pathrt_recording_withdraw();
  if (pathrt_registry.request_signal != pathrt_registry.switch_signal)
    remove_handler(module, pathrt_registry.request_signal, SIG_DFL);
}

/* Makes the first module that can handle requests from tools do so, unless a module already handles them.  */
static void accept_requests_again(void) {
  for (struct pathrt_module *each = pathrt_registry.modules; each; each = each->next)
    accept_requests(each);
}

/* ---- signal handlers ---- */

/* If the switch signal was sent by sigqueue, its value switches profiling on (nonzero value) or off (value 0).
 * Otherwise, the signal toggles the switch.  */
static void turn_by_signal(bool is_told, int number) {
  pathrt_switch_all(is_told ? number != 0 : !pathrt_registry.switched_on);
}

void pathrt_switch_handle(const siginfo_t *info) {
  int saved_errno = errno;
  struct pathrt_entry entry;
  bool is_told = info->si_code == SI_QUEUE;
  uint32_t value = is_told || info->si_code == SI_TIMER ? (uint32_t)info->si_value.sival_int : 0;
  if (pathrt_owns_counts() && pathrt_enter(&entry, true)) {
    if (pathprof_is_request(value))
      pathrt_recording_request(value);
    else if (info->si_signo == pathrt_registry.switch_signal)
      turn_by_signal(is_told, (int)value);
    pathrt_leave(&entry);
  }
  errno = saved_errno;
}

/* ---- modules ---- */

void pathrt_switch_add(struct pathrt_module *module) {
  module->set_switch(pathrt_is_switched_on());
  install(module);
  accept_requests(module);
  start_timer(module);
}

void pathrt_switch_remove(struct pathrt_module *module) {
  struct pathrt_entry entry;
  bool had_timer = pathrt_registry.timer_owner == module;
  if (had_timer)
    end_timer();
  if (!pathrt_enter(&entry, true))
    return;
  if (!pathrt_registry.modules)
    pathrt_recording_end(PATHPROF_RECORDING_DONE);
  refuse_requests(module);
  uninstall(module);
  accept_requests_again();
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

static void end_requests(void) {
  struct pathrt_entry entry;
  if (!pathrt_enter(&entry, true))
    return;
  pathrt_recording_end(PATHPROF_RECORDING_DONE);
  pathrt_recording_withdraw();
  pathrt_leave(&entry);
}

void pathrt_switch_restrict(void) {
  end_requests();
  if (!pathrt_registry.timer_owner)
    return;
  end_timer();
  pathrt_registry.switch_period = 0;
}
