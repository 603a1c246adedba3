/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Prepares the runtime before a process restricts its system calls.  */
#define _GNU_SOURCE
#include "libpathrt/restrict.h"

#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "libpathrt/file/write.h"
#include "libpathrt/module.h"
#include "libpathrt/process/entry.h"
#include "libpathrt/process/process.h"
#include "libpathrt/process/registry.h"
#include "libpathrt/switch.h"

/* The system call landlock_restrict_self has the same number on every architecture.  */
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

/* Increments by other threads are lost if they happen after the counts are written and before the counters are moved to
 * the raw file.  */
void __pathrt_restrict(void) {
  struct pathrt_entry entry;
  pathrt_start_module();
  if (!pathrt_registry.started || pathrt_registry.off || !pathrt_owns_counts())
    return;
  pathrt_switch_restrict();
  pathrt_write(NULL);
  if (!pathrt_enter(&entry, true))
    return;
  for (struct pathrt_module *module = pathrt_registry.modules; module; module = module->next)
    module->restrict_calls();
  pathrt_registry.restricted = true;
  pathrt_leave(&entry);
}

void __pathrt_prctl(long option) {
  if (option == PR_SET_SECCOMP)
    __pathrt_restrict();
}

/* Ignores seccomp calls that only query features.  */
void __pathrt_syscall(long number, long argument) {
  if (number == SYS_prctl)
    __pathrt_prctl(argument);
  else if (number == SYS_landlock_restrict_self)
    __pathrt_restrict();
  else if (number == SYS_seccomp && (argument == SECCOMP_SET_MODE_STRICT || argument == SECCOMP_SET_MODE_FILTER))
    __pathrt_restrict();
  else if (number == SYS_exit_group || number == SYS_execve || number == SYS_execveat)
    __pathrt_flush();
}
