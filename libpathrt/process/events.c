/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Registers functions for fork, quick_exit and exit.  A program can replace the standard registration functions such as
 * atexit, but not the functions with reserved names that implement them.  The functions with reserved names are
 * therefore called directly where they exist.  musl provides only __cxa_atexit.  */
#include "libpathrt/process/events.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

extern void *__dso_handle __attribute__((visibility("hidden")));
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *module)
    __attribute__((weak));
int __cxa_at_quick_exit(void (*function)(void *), void *module) __attribute__((weak));
int __cxa_atexit(void (*function)(void *), void *data, void *module);

static void (*call_at_quick_exit)(void), (*call_at_exit)(void);

static void quick_exit_calls(void *data) {
  (void)data;
  call_at_quick_exit();
}

static void exit_calls(void *data) {
  (void)data;
  call_at_exit();
}

bool pathrt_at_events(void (*in_child)(void), void (*quickly)(void), void (*at_exit)(void)) {
  call_at_quick_exit = quickly;
  call_at_exit = at_exit;
  if (__register_atfork)
    __register_atfork(NULL, NULL, in_child, &__dso_handle);
  else
    pthread_atfork(NULL, NULL, in_child);
  if (__cxa_at_quick_exit)
    __cxa_at_quick_exit(quick_exit_calls, &__dso_handle);
  else
    at_quick_exit(quickly);
  return __cxa_atexit(exit_calls, NULL, &__dso_handle) == 0;
}
