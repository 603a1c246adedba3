/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#define _GNU_SOURCE
#include "libpathrt/process/environment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libpathrt/process/message.h"
#include "libpathrt/process/pattern.h"
#include "libpathrt/process/registry.h"

void pathrt_set_pattern(const char *pattern, const char *source, const struct pathrt_identity *identity) {
  if (!pattern || !*pattern)
    pattern = PATHRT_DEFAULT_FILE;
  pathrt_pattern_set(&pathrt_registry.pattern, pattern, source, identity);
}

static void read_mode(void) {
  const char *mode = secure_getenv("PATHPROF_MODE");
  if (!mode || !*mode || strcmp(mode, "exit") == 0)
    return;
  pathrt_registry.off = strcmp(mode, "off") == 0;
  pathrt_registry.continuous = strcmp(mode, "continuous") == 0;
  if (!pathrt_registry.off && !pathrt_registry.continuous)
    pathrt_error("PATHPROF_MODE: '", mode,
                 "' is not known; it can be 'exit', 'continuous' or 'off', "
                 "and is taken as 'exit'",
                 NULL);
}

static void read_array_max(void) {
  const char *text = secure_getenv("PATHPROF_ARRAY_MAX");
  if (!text || !*text)
    return;
  char *end;
  errno = 0;
  pathrt_registry.array_max = strtoull(text, &end, 10);
  pathrt_registry.has_array_max = *text >= '0' && *text <= '9' && !*end && errno == 0;
  if (!pathrt_registry.has_array_max)
    pathrt_error("PATHPROF_ARRAY_MAX: '", text,
                 "' is not a number from 0 to 18446744073709551615; "
                 "it is ignored",
                 NULL);
}

static void read_signal(void) {
  const char *text = secure_getenv("PATHPROF_SIGNAL");
  if (!text || !*text)
    return;
  pathrt_registry.signal = pathrt_signal_number(text);
  if (!pathrt_registry.signal)
    pathrt_error("PATHPROF_SIGNAL: '", text,
                 "' is no signal that can have a handler (such as USR2 or 12); it is ignored", NULL);
}

static void remember_folder(void) {
  char *folder = pathrt_registry.folder;
  if (!getcwd(folder, sizeof pathrt_registry.folder - 1) || folder[0] != '/')
    folder[0] = '\0';
  else if (folder[1])
    strcat(folder, "/");
}

static void remember_stderr(void) {
  struct stat status;
  pathrt_registry.has_stderr = fstat(STDERR_FILENO, &status) == 0;
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
  const char *verbose = secure_getenv("PATHPROF_VERBOSE");
  pathrt_registry.verbose = verbose && *verbose && strcmp(verbose, "0") != 0;
  remember_folder();
  read_array_max();
  read_signal();
  pathrt_set_pattern(secure_getenv("PATHPROF_FILE"), "PATHPROF_FILE", identity);
}
