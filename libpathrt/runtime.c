/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Process life: reads the environment at start, writes the profile at exit, starts at zero in the
 * child of a fork, and does what pathrt.h promises.
 *
 * Each module (program or shared object) has a copy of all this to itself.  Not handled: _exit,
 * abort, exec and fatal signals, which end a process without its exit handlers.  */
#define _GNU_SOURCE
#include "libpathrt/runtime.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "libpathrt/build_id.h"
#include "libpathrt/collect.h"
#include "libpathrt/file.h"
#include "libpathrt/filename.h"
#include "libpathrt/message.h"
#include "profile/abi.h"

/* Protected: exported, and yet a call from this module never ends in another module's copy.  */
#define PATHRT_API __attribute__((visibility("protected")))
#include "libpathrt/pathrt.h"

/* Instrumented code refers to this symbol: it brings this file, with its constructor, into the
 * link.  */
extern const char pathrt_link_symbol __asm__(PATHPROF_LINK_SYMBOL);
const char pathrt_link_symbol = PATHPROF_ABI_VERSION;

/* ---- signals ---- */

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

/* ---- state ---- */

static struct {
  bool started;
  bool off;
  bool verbose;
  bool forked; /* this process began as a fork: frames were open at its start */
  struct pathrt_identity identity;
  char folder[4096]; /* working directory at start, with a slash; empty where it is unknown */
  struct pathrt_name pattern;
  struct pathrt_name counted; /* the file that knows of this run already */
  uintptr_t writer;           /* the thread that writes, 0: none */
} state;

/* One thread at a time writes or changes what writing needs.  False for a thread that does so
 * already: then it is in a signal handler.  */
static bool enter(void) {
  static const struct timespec a_while = {0, 200000};
  uintptr_t self = (uintptr_t)&errno, writer = 0;
  while (!__atomic_compare_exchange_n(&state.writer, &writer, self, false, __ATOMIC_ACQUIRE,
                                      __ATOMIC_RELAXED)) {
    if (writer == self)
      return false;
    writer = 0;
    nanosleep(&a_while, NULL);
  }
  return true;
}

static void leave(void) {
  __atomic_store_n(&state.writer, 0, __ATOMIC_RELEASE);
}

/* ---- environment ---- */

static void set_pattern(const char *pattern, const char *source) {
  if (!pattern || !*pattern)
    pattern = PATHRT_DEFAULT_FILE;
  pathrt_pattern_set(&state.pattern, pattern, source, &state.identity);
}

static void read_mode(void) {
  const char *mode = secure_getenv("PATHPROF_MODE");
  if (!mode || !*mode || strcmp(mode, "exit") == 0)
    return;
  state.off = strcmp(mode, "off") == 0;
  if (!state.off)
    pathrt_error("PATHPROF_MODE: '", mode,
                 "' is not known; it can be 'exit' or 'off', "
                 "and is taken as 'exit'",
                 NULL);
}

static void read_array_max(void) {
  const char *text = secure_getenv("PATHPROF_ARRAY_MAX");
  if (!text || !*text)
    return;
  char *end;
  int saved_errno = errno;
  errno = 0;
  unsigned long long limit = strtoull(text, &end, 10);
  bool ok = *text >= '0' && *text <= '9' && !*end && errno == 0;
  errno = saved_errno;
  if (ok)
    pathrt_raise_array_max(limit);
  else
    pathrt_error("PATHPROF_ARRAY_MAX: '", text,
                 "' is not a number from 0 to 18446744073709551615; "
                 "it is ignored",
                 NULL);
}

static void read_environment(void) {
  const char *verbose = secure_getenv("PATHPROF_VERBOSE");
  state.verbose = verbose && *verbose && strcmp(verbose, "0") != 0;
  read_mode();
  if (state.off)
    return;
  read_array_max();
  set_pattern(secure_getenv("PATHPROF_FILE"), "PATHPROF_FILE");
}

static void remember_folder(void) {
  if (!getcwd(state.folder, sizeof state.folder - 1) || state.folder[0] != '/')
    state.folder[0] = '\0';
  else if (state.folder[1])
    strcat(state.folder, "/");
}

/* ---- writing ---- */

/* Where a module has no build id, the key of its units stands for it.  */
static void name_file(struct pathrt_name *file) {
  const unsigned char *build_id = state.identity.build_id;
  size_t size = state.identity.build_id_size;
  unsigned char key_bytes[8];
  if (!build_id) {
    uint64_t key = pathrt_units_key();
    for (int i = 0; i < 8; i++)
      key_bytes[i] = (unsigned char)(key >> (8 * i));
    build_id = key_bytes;
    size = sizeof key_bytes;
  }
  pathrt_name_expand(file, &state.pattern, state.folder, build_id, size);
}

static void report_written(const struct pathrt_name *file, uint64_t num_paths) {
  char decimal[PATHRT_DECIMAL_SIZE];
  if (state.verbose)
    pathrt_note(pathrt_shown(file), ": written, ", pathrt_decimal(decimal, num_paths),
                " executed paths", NULL);
}

/* Takes the counts and adds them to the locked file, or gives them back.  A run counts once in a
 * file, however often it is dumped.  */
static bool add_counts(const struct pathrt_name *file) {
  struct pathrt_collection collection;
  bool is_new = strcmp(state.counted.text, file->text) != 0;
  struct pathrt_run run = {&state.identity, is_new, is_new && state.forked};
  enum pathrt_added added = PATHRT_NOT_ADDED;
  bool ok = pathrt_collect(&collection, &run), unchanged = !is_new && !collection.num_paths;
  if (ok && !unchanged)
    added = pathrt_file_add(file, &collection.image);
  else if (!ok)
    pathrt_error(pathrt_shown(file), ": the counts cannot be collected; nothing is written", NULL);
  if (added != PATHRT_NOT_ADDED)
    pathrt_name_extend(&state.counted, file, "");
  else if (!ok || !unchanged)
    pathrt_give_back(&collection.taker);
  if (added == PATHRT_ADDED)
    report_written(file, collection.num_paths);
  ok = ok && (unchanged || added != PATHRT_NOT_ADDED);
  pathrt_collection_free(&collection);
  return ok;
}

/* Signals are held back from where the counts are taken on: a Ctrl-C while waiting for the lock
 * works.  */
static bool write_locked(void) {
  static struct pathrt_name file;
  struct pathrt_signals signals;
  if (!pathrt_find_units())
    return false;
  name_file(&file);
  if (file.too_long) {
    pathrt_error("PATHPROF_FILE: the file name is too long; nothing is written", NULL);
    return false;
  }
  if (!pathrt_file_lock(&file))
    return false;
  pathrt_block_signals(&signals);
  bool ok = add_counts(&file);
  pathrt_file_unlock(&file);
  pathrt_restore_signals(&signals);
  return ok;
}

/* A thread must not be cancelled with the lock held.  */
static bool write_profile(void) {
  int saved_errno = errno, cancel_state;
  if (!state.started || state.off)
    return true;
  if (!enter())
    return false;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
  bool ok = write_locked();
  leave();
  pthread_setcancelstate(cancel_state, NULL);
  errno = saved_errno;
  return ok;
}

/* ---- process life ---- */

static void write_at_quick_exit(void) {
  write_profile();
}

/* Counts of the parent so far stay the parent's.  */
static void start_anew(void) {
  int saved_errno = errno;
  leave();
  state.forked = true;
  state.counted.text[0] = '\0';
  pathrt_file_after_fork();
  pathrt_discard_counts();
  errno = saved_errno;
}

static void start(void) {
  if (state.started)
    return;
  int saved_errno = errno;
  state.started = true;
  state.off = getauxval(AT_SECURE) || !pathrt_has_units();
  if (state.off)
    return;
  pathrt_identify(&state.identity);
  remember_folder();
  read_environment();
  if (!state.off) {
    pthread_atfork(NULL, NULL, start_anew);
    at_quick_exit(write_at_quick_exit);
  }
  errno = saved_errno;
}

/* Before the first constructor and after the last destructor that a program can have: theirs have
 * priorities from 101 on.  */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"
static __attribute__((constructor(100))) void start_module(void) {
  start();
}

static __attribute__((destructor(100))) void finish_module(void) {
  write_profile();
}
#pragma GCC diagnostic pop

/* ---- pathrt.h ---- */

int pathrt_dump(void) {
  start();
  return write_profile() ? 0 : -1;
}

void pathrt_reset(void) {
  pathrt_discard_counts();
}

void pathrt_set_file(const char *pattern) {
  start();
  if (state.off || !enter())
    return;
  set_pattern(pattern, "pathrt_set_file");
  leave();
}
