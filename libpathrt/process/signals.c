/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#define _GNU_SOURCE
#include "libpathrt/process/signals.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

void pathrt_block_signals(struct pathrt_signals *signals) {
  sigset_t all;
  sigfillset(&all);
  sigpending(&signals->pending);
  pthread_sigmask(SIG_BLOCK, &all, &signals->mask);
}

void pathrt_restore_signals(const struct pathrt_signals *signals) {
  static const int ours[] = {SIGPIPE, SIGXFSZ};
  static const struct timespec at_once = {0, 0};
  sigset_t pending;
  sigpending(&pending);
  for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, ours[i]);
    if (sigismember(&pending, ours[i]) == 1 && sigismember(&signals->pending, ours[i]) == 0)
      sigtimedwait(&one, NULL, &at_once);
  }
  pthread_sigmask(SIG_SETMASK, &signals->mask, NULL);
}

/* The number that the text is, of up to three digits; else 0.  */
static int number_in(const char *text) {
  int number = 0;
  size_t n = strspn(text, "0123456789");
  if (!n || n > 3 || text[n])
    return 0;
  for (; *text; text++)
    number = number * 10 + (*text - '0');
  return number;
}

int pathrt_signal_number(const char *text) {
  static const struct {
    const char *name;
    int number;
  } known[] = {
      {"ABRT", SIGABRT}, {"ALRM", SIGALRM},     {"BUS", SIGBUS},     {"CHLD", SIGCHLD}, {"CONT", SIGCONT},
      {"FPE", SIGFPE},   {"HUP", SIGHUP},       {"ILL", SIGILL},     {"INT", SIGINT},   {"IO", SIGIO},
      {"PIPE", SIGPIPE}, {"PROF", SIGPROF},     {"PWR", SIGPWR},     {"QUIT", SIGQUIT}, {"SEGV", SIGSEGV},
      {"SYS", SIGSYS},   {"TERM", SIGTERM},     {"TRAP", SIGTRAP},   {"TSTP", SIGTSTP}, {"TTIN", SIGTTIN},
      {"TTOU", SIGTTOU}, {"URG", SIGURG},       {"USR1", SIGUSR1},   {"USR2", SIGUSR2}, {"XCPU", SIGXCPU},
      {"XFSZ", SIGXFSZ}, {"VTALRM", SIGVTALRM}, {"WINCH", SIGWINCH},
  };
  int number = number_in(text);
  const char *name = strncmp(text, "SIG", 3) == 0 ? text + 3 : text;
  for (size_t i = 0; !number && i < sizeof known / sizeof known[0]; i++)
    if (strcmp(known[i].name, name) == 0)
      number = known[i].number;
  struct sigaction action;
  bool ok = number > 0 && number != SIGKILL && number != SIGSTOP && sigaction(number, NULL, &action) == 0;
  return ok ? number : 0;
}
