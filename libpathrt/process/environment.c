/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reads the PATHPROF_* environment variables.  */
#define _GNU_SOURCE
#include "libpathrt/process/environment.h"

#include <sys/stat.h>
#include <unistd.h>

#include "libpathrt/process/message.h"
#include "libpathrt/process/pattern.h"
#include "libpathrt/process/registry.h"
#include "libpathrt/process/switched.h"
#include "libpathrt/process/test.h"
#include "profile/format/system.h"
#include "profile/format/text.h"
#include "profile/format/wide.h"

void pathrt_set_pattern(const char *pattern, const char *source, const struct pathrt_identity *identity) {
  if (!pattern || !*pattern)
    pattern = PATHRT_DEFAULT_FILE;
  pathrt_pattern_set(&pathrt_space.pattern, pattern, source, identity);
}

static void read_mode(void) {
  const char *mode = pathprof_sys_getenv("PATHPROF_MODE");
  if (!mode || !*mode || pathprof_text_equals(mode, "exit"))
    return;
  pathrt_registry.off = pathprof_text_equals(mode, "off");
  pathrt_registry.continuous = pathprof_text_equals(mode, "continuous");
  if (!pathrt_registry.off && !pathrt_registry.continuous)
    pathrt_error("PATHPROF_MODE: unknown value '", mode, "'; expected 'exit', 'continuous' or 'off'; using 'exit'",
                 NULL);
}

static void read_array_max(void) {
  const char *text = pathprof_sys_getenv("PATHPROF_ARRAY_MAX");
  if (!text || !*text)
    return;
  const char *end;
  pathrt_registry.has_array_max = pathprof_text_number(text, &end, &pathrt_registry.array_max) && !*end;
  if (!pathrt_registry.has_array_max)
    pathrt_error("PATHPROF_ARRAY_MAX: invalid value '", text,
                 "'; expected a number from 0 to 18446744073709551615; ignored", NULL);
}

static int read_signal(const char *variable) {
  const char *text = pathprof_sys_getenv(variable);
  if (!text || !*text)
    return 0;
  int number = pathrt_signal_number(text);
  if (!number)
    pathrt_error(variable, ": invalid value '", text,
                 "'; expected a signal that can be caught, such as USR2 or 12; ignored", NULL);
  return number;
}

/* Parses a number with an optional fraction of up to nine digits, stores it in units of 10^-9, and advances `*text`.
 * Returns false if there is no number, if the number is zero, or if it exceeds `most`.  */
static bool read_decimal(const char **text, uint64_t most, uint64_t *value) {
  const uint64_t unit = 1000000000;
  uint64_t number = 0;
  size_t digits = pathprof_text_digits(*text);
  if (!digits || digits > 9)
    return false;
  for (size_t i = 0; i < digits; i++)
    number = number * 10 + (uint64_t)(*(*text)++ - '0');
  *value = number * unit;
  if (**text == '.') {
    digits = pathprof_text_digits(++*text);
    if (!digits || digits > 9)
      return false;
    for (uint64_t place = unit / 10; digits; digits--, place /= 10)
      *value += (uint64_t)(*(*text)++ - '0') * place;
  }
  return *value > 0 && *value <= most * unit;
}

/* Parses a duty cycle such as "1%/10s" or "2.5%/200ms".  */
static bool read_duty(const char *text) {
  uint64_t percent, period, longest = 1000000;
  if (!read_decimal(&text, 100, &percent) || !pathprof_text_starts(text, "%/"))
    return false;
  text += 2;
  if (!read_decimal(&text, longest, &period))
    return false;
  if (pathprof_text_equals(text, "ms"))
    period /= 1000;
  else if (!pathprof_text_equals(text, "s"))
    return false;
  uint64_t on_for = pathprof_scaled(period, percent, 100000000000u);
  if (on_for == 0)
    return false;
  pathrt_registry.switch_on_for = on_for;
  pathrt_registry.switch_period = on_for < period ? period : 0;
  if (on_for == period)
    pathrt_note_switched(true);
  return true;
}

static void read_switch(void) {
  const char *text = pathprof_sys_getenv("PATHPROF_SWITCH");
  if (!text || !*text || pathprof_text_equals(text, "off"))
    return;
  if (pathprof_text_equals(text, "on"))
    pathrt_note_switched(true);
  else if (!read_duty(text))
    pathrt_error("PATHPROF_SWITCH: unknown value '", text,
                 "'; expected 'on', 'off' or DUTY/PERIOD such as '1%/10s'; using 'off'", NULL);
}

static void remember_folder(void) {
  char *folder = pathrt_space.folder;
  if (!pathprof_sys_getcwd(folder, sizeof pathrt_space.folder - 1) || folder[0] != '/')
    folder[0] = '\0';
  else if (folder[1])
    pathprof_text_append(folder, "/", sizeof pathrt_space.folder);
}

static void remember_stderr(void) {
  struct stat status;
  pathrt_registry.has_stderr = pathprof_sys_fstat(STDERR_FILENO, &status) == 0;
  if (!pathrt_registry.has_stderr)
    return;
  pathrt_registry.stderr_device = status.st_dev;
  pathrt_registry.stderr_inode = status.st_ino;
}

void pathrt_read_environment(const struct pathrt_identity *identity) {
  remember_stderr();
  pathrt_registry.started = sizeof pathrt_registry;
  read_mode();
  if (pathrt_registry.off)
    return;
  const char *verbose = pathprof_sys_getenv("PATHPROF_VERBOSE");
  pathrt_registry.verbose = verbose && *verbose && !pathprof_text_equals(verbose, "0");
  remember_folder();
  read_array_max();
  pathrt_registry.signal = read_signal("PATHPROF_SIGNAL");
  pathrt_registry.switch_signal = read_signal("PATHPROF_SWITCH_SIGNAL");
  if (pathrt_registry.switch_signal && pathrt_registry.switch_signal == pathrt_registry.signal) {
    pathrt_error("PATHPROF_SWITCH_SIGNAL: same signal as PATHPROF_SIGNAL; ignored", NULL);
    pathrt_registry.switch_signal = 0;
  }
  read_switch();
  pathrt_read_test();
  pathrt_set_pattern(pathprof_sys_getenv("PATHPROF_FILE"), "PATHPROF_FILE", identity);
}
