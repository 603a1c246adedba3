/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Blocks signals while the runtime works, and parses signal names.  */
#define _GNU_SOURCE
#include "libpathrt/process/signals.h"

#include <stdbool.h>
#include <signal.h>
#include <stddef.h>

#include "profile/format/text.h"

/* Exists in glibc but not in musl.  */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *module)
    __attribute__((weak));

void pathrt_block_signals(struct pathrt_signals *signals) {
  signals->pending = pathprof_sys_pending();
  pathprof_sys_set_mask(~(pathprof_signals)0, &signals->mask);
}

static void restore(const struct pathrt_signals *signals, pathprof_signals mask) {
  pathprof_signals ours = pathprof_signal_bit(SIGPIPE) | pathprof_signal_bit(SIGXFSZ);
  ours &= pathprof_sys_pending() & ~signals->pending;
  for (; ours; ours &= pathprof_sys_pending())
    pathprof_sys_discard(ours);
  pathprof_sys_set_mask(mask, NULL);
}

void pathrt_restore_signals(const struct pathrt_signals *signals) {
  restore(signals, signals->mask);
}

/* The number of the cancellation signal depends on the C library.  In glibc, signal 33 is not the cancellation signal
 * and must not be blocked: setuid sends it to all threads and waits until they have handled it.  */
void pathrt_admit_handlers(const struct pathrt_signals *signals) {
  enum { CANCEL_GLIBC = 32, CANCEL_MUSL = 33 };
  int cancel = __register_atfork ? CANCEL_GLIBC : CANCEL_MUSL;
  restore(signals, signals->mask | pathprof_signal_bit(cancel));
}

/* Parses a number of up to three digits.  Returns 0 if the text is anything else.  */
static int number_in(const char *text) {
  int number = 0;
  size_t n = pathprof_text_digits(text);
  if (!n || n > 3 || text[n])
    return 0;
  for (; *text; text++)
    number = number * 10 + (*text - '0');
  return number;
}

int pathrt_signal_number(const char *text) {
  static const struct {
    char name[sizeof "VTALRM"]; /* not a pointer, which would be relocated in each program */
    unsigned char number;
  } known[] = {
      {"ABRT", SIGABRT}, {"ALRM", SIGALRM},     {"BUS", SIGBUS},     {"CHLD", SIGCHLD}, {"CONT", SIGCONT},
      {"FPE", SIGFPE},   {"HUP", SIGHUP},       {"ILL", SIGILL},     {"INT", SIGINT},   {"IO", SIGIO},
      {"PIPE", SIGPIPE}, {"PROF", SIGPROF},     {"PWR", SIGPWR},     {"QUIT", SIGQUIT}, {"SEGV", SIGSEGV},
      {"SYS", SIGSYS},   {"TERM", SIGTERM},     {"TRAP", SIGTRAP},   {"TSTP", SIGTSTP}, {"TTIN", SIGTTIN},
      {"TTOU", SIGTTOU}, {"URG", SIGURG},       {"USR1", SIGUSR1},   {"USR2", SIGUSR2}, {"XCPU", SIGXCPU},
      {"XFSZ", SIGXFSZ}, {"VTALRM", SIGVTALRM}, {"WINCH", SIGWINCH},
  };
  int number = number_in(text);
  const char *name = pathprof_text_starts(text, "SIG") ? text + 3 : text;
  for (size_t i = 0; !number && i < sizeof known / sizeof known[0]; i++)
    if (pathprof_text_equals(known[i].name, name))
      number = known[i].number;
  struct pathprof_action action;
  bool ok = number > 0 && number != SIGKILL && number != SIGSTOP && pathprof_sys_sigaction(number, NULL, &action) == 0;
  return ok ? number : 0;
}
