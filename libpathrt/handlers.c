/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Installs and removes the runtime's handlers for the signal that PATHPROF_SIGNAL names, and for std::terminate.  */
#define _GNU_SOURCE
#include "libpathrt/handlers.h"

#include <errno.h>
#include <signal.h>

#include "libpathrt/end.h"
#include "libpathrt/file/write.h"
#include "libpathrt/process/name.h"
#include "libpathrt/process/entry.h"
#include "libpathrt/process/message.h"
#include "profile/format/system.h"

/* Declaration of std::set_terminate.  The address is null in programs without the C++ library.  */
typedef void (*terminate_handler)(void);
extern terminate_handler set_terminate(terminate_handler handler) __asm__("_ZSt13set_terminatePFvvE")
    __attribute__((weak));

/* ---- the signal ---- */

/* Installs the signal handler, unless the program already has a handler for the signal.  If the signal is ignored, for
 * example SIGHUP under nohup, installs the handler anyway, because the user requested this signal.  */
static void install_signal(struct pathrt_module *module) {
  struct pathprof_action action;
  char number[PATHRT_DECIMAL_SIZE];
  if (!pathrt_registry.signal || pathrt_registry.signal_owner)
    return;
  if (pathprof_sys_sigaction(pathrt_registry.signal, NULL, &action) == 0 &&
      ((action.flags & SA_SIGINFO) || (action.handler != SIG_DFL && action.handler != SIG_IGN))) {
    pathrt_error("PATHPROF_SIGNAL: the program has a handler for signal ",
                 pathrt_decimal(number, (uint64_t)pathrt_registry.signal), "; the handler is not replaced", NULL);
    pathrt_registry.signal = 0;
    return;
  }
  action.handler = module->on_signal;
  action.flags = SA_RESTART;
  action.mask = 0;
  if (module->set_action(pathrt_registry.signal, &action, NULL) == 0)
    pathrt_registry.signal_owner = module;
}

static void remove_signal(struct pathrt_module *module) {
  struct pathprof_action action;
  if (pathrt_registry.signal_owner != module)
    return;
  pathrt_registry.signal_owner = NULL;
  if (pathprof_sys_sigaction(pathrt_registry.signal, NULL, &action) != 0 || action.handler != module->on_signal)
    return;
  struct pathrt_module *heir = pathrt_registry.modules;
  action.handler = heir ? heir->on_signal : SIG_DFL;
  (heir ? heir : module)->set_action(pathrt_registry.signal, &action, NULL);
  pathrt_registry.signal_owner = heir;
}

/* Sets `wanted` first, so that a thread that is currently inside the registry detects the request for a dump when it
 * leaves the registry.  */
void pathrt_handle_signal(int signal) {
  (void)signal;
  int saved_errno = errno;
  struct pathrt_entry entry;
  __atomic_store_n(&pathrt_registry.wanted, 1, __ATOMIC_SEQ_CST);
  if (pathrt_enter(&entry, false))
    pathrt_leave(&entry);
  errno = saved_errno;
}

/* ---- std::terminate ---- */

static void install_terminate(struct pathrt_module *module) {
  if (!set_terminate || pathrt_registry.terminate_owner)
    return;
  pathrt_registry.terminate_owner = module;
  pathrt_registry.old_terminate = set_terminate(module->on_terminate);
}

/* Removes the terminate handler, unless the program has replaced it.  */
static void remove_terminate(struct pathrt_module *module) {
  if (pathrt_registry.terminate_owner != module)
    return;
  pathrt_registry.terminate_owner = NULL;
  terminate_handler current = set_terminate(pathrt_registry.old_terminate);
  if (current != module->on_terminate) {
    set_terminate(current);
    return;
  }
  if (pathrt_registry.modules)
    install_terminate(pathrt_registry.modules);
}

void pathrt_handle_terminate(void) {
  pathrt_write_at_end(NULL, false);
  if (pathrt_registry.old_terminate)
    pathrt_registry.old_terminate();
  pathprof_sys_abort();
}

/* ---- both ---- */

void pathrt_install_handlers(struct pathrt_module *module) {
  install_signal(module);
  install_terminate(module);
}

void pathrt_remove_handlers(struct pathrt_module *module) {
  remove_signal(module);
  remove_terminate(module);
}
