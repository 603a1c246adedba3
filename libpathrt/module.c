/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Manages the lifecycle of a module, which is an executable or a shared library.  Registers the module at startup,
 * writes its counts at exit or when it is unloaded, and implements the functions in pathrt.h.  */
#define _GNU_SOURCE
#include "libpathrt/module.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>

#include "libpathrt/continuous/continuous.h"
#include "libpathrt/end.h"
#include "libpathrt/file/lock.h"
#include "libpathrt/file/write.h"
#include "libpathrt/handlers.h"
#include "libpathrt/snapshot/collect.h"
#include "libpathrt/snapshot/all_counts.h"
#include "libpathrt/snapshot/walk.h"
#include "libpathrt/snapshot/written.h"
#include "libpathrt/keep.h"
#include "libpathrt/modules.h"
#include "libpathrt/provisional.h"
#include "libpathrt/switch.h"
#include "libpathrt/process/build_id.h"
#include "libpathrt/process/entry.h"
#include "libpathrt/process/environment.h"
#include "libpathrt/process/events.h"
#include "libpathrt/process/message.h"
#include "libpathrt/process/process.h"
#include "libpathrt/process/registry.h"
#include "libpathrt/process/test.h"
#include "libpathrt/recording.h"
#include "libpathrt/storage/cycles.h"
#include "libpathrt/storage/forest.h"
#include "libpathrt/storage/frames.h"
#include "libpathrt/storage/switched.h"
#include "libpathrt/storage/thread.h"
#include "libpathrt/storage/units.h"
#include "profile/format/abi.h"
#include "profile/format/system.h"

/* With protected visibility, the functions in pathrt.h are exported, but calls within this module are bound to its own
 * copies.  */
#define PATHRT_API __attribute__((visibility("protected")))
#include "libpathrt/pathrt.h"

/* Symbol that instrumented code references.  The reference makes the linker include this file and its constructor.  */
extern const char pathrt_link_symbol __asm__(PATHPROF_LINK_SYMBOL);
const char pathrt_link_symbol = PATHPROF_ABI_VERSION;

/* ---- the functions that the registry calls ---- */

static struct pathrt_identity identity;
static struct pathrt_collection
    collection; /* snapshot that is being written, or that was set aside when counting was paused */
static struct pathrt_collection recorded; /* counts since the start of a recording */
static struct pathprof_buffer whole;      /* image of `collection`, merged with the counts of finished tests */
static bool is_paused;

static struct pathrt_module module;

/* Returns true if no other thread can count paths while a snapshot is being taken.  */
static bool is_alone(void) {
  return pathrt_registry.is_ending && pathrt_is_single_threaded();
}

static bool get_key(uint64_t *key) {
  if (!pathrt_find_units())
    return false;
  *key = pathrt_units_key();
  return true;
}

/* Discards the counts since the pause, and restores the counts that were set aside when counting was paused.  */
static void put_back(void) {
  pathrt_discard_counts(false);
  pathrt_roll_back(&collection.snapshot);
  pathrt_collection_free(&collection);
}

/* Discards the counts since the pause.  */
static void forget_pause(void) {
  if (pathrt_is_continuous())
    pathrt_continuous_resume();
  else
    put_back();
}

static bool snapshot_counts(const struct pathrt_run *run) {
  if (is_paused)
    forget_pause();
  pathrt_withdraw_provisional(&identity);
  return pathrt_find_units() && pathrt_collect(&collection, run, is_alone()) &&
         pathrt_continuous_subtract_adopted(&collection.image);
}

static const struct pathprof_buffer *take_snapshot(const struct pathrt_run *run, uint64_t *num_paths) {
  if (!snapshot_counts(run) || (pathrt_has_kept() && !pathrt_add_kept(&collection.image, &whole)))
    return NULL;
  *num_paths = collection.num_paths;
  return whole.size ? &whole : &collection.image;
}

/* Commits the snapshot if it was written, and otherwise rolls it back.  If the write fails while counting is paused,
 * keeps the snapshot, which contains the counts from before the pause.  The snapshot is then rolled back when counting
 * is resumed or before the next write.  */
static void settle_counts(bool written) {
  if (pathrt_is_continuous()) {
    if (written)
      pathrt_deduct(&collection.snapshot);
    pathrt_continuous_settled(written);
    if (is_paused)
      pathrt_continuous_pause();
  } else if (!written && is_paused)
    return;
  else if (!written)
    pathrt_roll_back(&collection.snapshot);
  pathrt_collection_free(&collection);
}

static void forget_kept(bool forked) {
  if (!forked)
    pathprof_buffer_free(&whole);
  memset(&whole, 0, sizeof whole);
  pathrt_forget_kept(forked);
  module.keeps = false;
}

static void commit(bool written) {
  settle_counts(written);
  pathrt_commit_provisional(written);
  if (written)
    forget_kept(false);
  else
    pathprof_buffer_free(&whole);
}

/* Counts the paths of open activations.  If `may_go_on` is true (before an exec) and counting is paused, does nothing,
 * because the counts would be discarded.  */
static void close_open_paths(bool may_go_on) {
  if (!may_go_on)
    pathrt_frames_close_all();
  else if (!is_paused)
    pathrt_count_open_paths(&identity);
}

static bool keep(const struct pathrt_run *run) {
  bool ok = snapshot_counts(run) && pathrt_keep(&collection.image);
  settle_counts(ok);
  module.keeps |= ok;
  return ok;
}

static void note_test(void) {
  pathrt_continuous_note_test(&module);
}

static void discard_in_file(void) {
  pathrt_continuous_note_reset(&module);
  pathrt_continuous_resume();
  pathrt_discard_counts(false);
  if (is_paused)
    pathrt_continuous_pause();
}

/* Discards all counts.  In the child of a fork, the collection is not freed, because another thread of the parent may
 * have been changing it during the fork.  */
static void discard(bool forked) {
  if (forked) {
    pathrt_lock_after_fork();
    pathrt_frames_after_fork();
    pathrt_threads_after_fork();
  } else
    pathrt_collection_free(&collection);
  memset(&collection, 0, sizeof collection);
  forget_kept(forked);
  pathrt_discard_provisional(forked);
  if (!pathrt_is_continuous())
    pathrt_discard_counts(forked);
  else if (forked)
    pathrt_continuous_after_fork(&module);
  else
    discard_in_file();
}

static void resume(void) {
  if (is_paused)
    forget_pause();
  is_paused = false;
}

static bool pause_counts(void) {
  struct pathrt_run run = {&identity, 0, 0, 0, 0, 0, {NULL, 0, 0, 0, 0}};
  if (is_paused)
    return true;
  if (pathrt_is_continuous()) {
    pathrt_continuous_note_reset(&module);
    is_paused = pathrt_continuous_pause();
    return is_paused;
  }
  is_paused = pathrt_find_units() && pathrt_collect(&collection, &run, false);
  if (!is_paused)
    settle_counts(false);
  return is_paused;
}

static void move(void) {
  pathrt_continuous_move(&module);
}

/* Called before the process restricts its system calls.  The table of counts that have already been written is no
 * longer needed: from now on, as in continuous mode, counts are subtracted from the counters in the file as soon
 * as they have been written.  */
static void restrict_calls(void) {
  if (!pathrt_continuous_restrict(&module, is_paused))
    return;
  pathrt_written_release();
  pathrt_note("the program is about to restrict its system calls; from now on, its counts are stored in ",
              pathrt_continuous_file(), ", which pathdump and the next run merge into the profile", NULL);
}

static void on_signal(int signal) {
  pathrt_handle_signal(signal);
}

static void on_terminate(void) {
  pathrt_handle_terminate();
}

/* The switch byte of this module, or null if the module contains no code compiled with switch=1.  A pointer is used
 * instead of a weak symbol, because gold resolves undefined weak symbols to the address of the module.  */
struct pathrt_switched *pathrt_switch_of_module;

static void set_switch(bool on) {
  if (pathrt_switch_of_module)
    pathrt_switch_of_module->is_on = on;
}

static void on_switch_signal(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  pathrt_switch_handle(info);
}

static bool mark(bool begin) {
  pathrt_collection_free(&recorded);
  if (begin)
    return pathrt_mark_counts();
  pathrt_end_marks();
  return true;
}

static const struct pathprof_buffer *collect_recorded(const struct pathrt_run *run) {
  return pathrt_find_units() && pathrt_collect_since_marks(&recorded, run) ? &recorded.image : NULL;
}

static void *run_timer(void *argument) {
  pathrt_switch_run_timer();
  return argument;
}

static struct pathrt_module module = {
    .identity = &identity,
    .key = get_key,
    .take_snapshot = take_snapshot,
    .keep = keep,
    .note_test = note_test,
    .commit = commit,
    .pending = pathrt_continuous_pending,
    .run_recorded = pathrt_continuous_run_recorded,
    .end = pathrt_continuous_end,
    .move = move,
    .restrict_calls = restrict_calls,
    .close = close_open_paths,
    .withdrawn = pathrt_withdrawn,
    .discard = discard,
    .print = pathrt_frames_print,
    .pause = pause_counts,
    .resume = resume,
    .set_action = pathprof_sys_sigaction,
    .on_signal = on_signal,
    .on_terminate = on_terminate,
    .set_switch = set_switch,
    .on_switch_signal = on_switch_signal,
    .run_timer = run_timer,
    .mark = mark,
    .recorded = collect_recorded,
};

/* ---- lifecycle ---- */

static bool is_started;
static bool is_registered;
static bool is_exiting;  /* exit was called */
static bool is_unloaded; /* dlclose was called */

/* Exit handler.  The main program's handler runs before all destructors, even those of libraries that another thread
 * loads while the program exits.  */
static void note_exit(void) {
  is_exiting = true;
  pathrt_registry.exiting |= identity.is_program;
}

/* Distinguishes dlclose from exit.  At exit, the exit handlers run before all destructors.  On dlclose, the library's
 * exit handlers are called by a destructor that runs after this destructor.  */
static __attribute__((destructor)) void note_unload(void) {
  is_unloaded = !is_exiting;
}

static void write_at_quick_exit(void) {
  pathrt_write_at_end(NULL, false);
}

/* Runs in the child of a fork.  Each module registers this function, but the first call does most of the work.  */
static void start_anew(void) {
  if (!pathrt_registry.restricted)
    pathrt_recording_after_fork();
  pathrt_start_anew();
  if (pathrt_registry.timer_owner == &module && !pathrt_registry.restricted)
    pathrt_switch_after_fork();
}

/* Initializes the registry if no other module has initialized it.  */
static void start_process(void) {
  if (pathrt_registry.started)
    return;
  pathrt_own_counts();
  pathrt_read_environment(&identity);
}

static void start_continuous(void) {
  struct pathrt_entry entry;
  if (!pathrt_enter(&entry, true))
    return;
  pathrt_continuous_start(&module, true);
  pathrt_leave(&entry);
}

static void register_module(void) {
  pathrt_forest_read_environment();
  pathrt_raise_array_max();
  if (pathrt_measures_cycles)
    pathrt_cycles_start();
  if (pathrt_registry.continuous)
    start_continuous();
  module.on_demand = pathrt_switch_of_module != NULL;
  pathrt_add_module(&module);
  is_registered = true;
  if (!pathrt_at_events(start_anew, write_at_quick_exit, note_exit))
    is_exiting = true; /* unknown, so that nothing is unmapped */
}

void pathrt_start_module(void) {
  if (is_started)
    return;
  int saved_errno = errno;
  is_started = true;
  bool is_secure = pathprof_sys_auxiliary(AT_SECURE), has_joined = !is_secure && pathrt_join_registry();
  if (!is_secure && !has_joined)
    pathrt_error("not enough memory for path counts; the program is not profiled", NULL);
  if (has_joined && !pathrt_registry.restricted) {
    pathrt_identify(&identity);
    start_process();
    if (!pathrt_registry.off && pathrt_has_units())
      register_module();
  }
  errno = saved_errno;
}

/* With priority 100, the constructor `start` runs before all constructors of the program, and the destructor `finish`
 * runs after all destructors of the program.  The priorities in a program start at 101.  */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wprio-ctor-dtor"
static __attribute__((constructor(100))) void start(void) {
  pathrt_thread_start(pathrt_frames_end);
  pathrt_start_module();
}

/* Writes the counts at exit or when the module is unloaded.  At exit, the first module that ends, which is the main
 * program if it is instrumented, writes the counts of all modules, so that the profile changes only once.  Modules that
 * count paths afterwards write these counts themselves.  */
static void write_at_end(void) {
  bool writes_all = !is_unloaded && !pathrt_registry.exit_written;
  pathrt_registry.exit_written |= writes_all;
  pathrt_write_at_end(writes_all ? NULL : &module, false);
}

/* The main program remains registered, because other modules may still call its functions.  */
static __attribute__((destructor(100))) void finish(void) {
  if (is_registered) {
    write_at_end();
    if (!identity.is_program)
      pathrt_remove_module(&module);
  }
  if (identity.is_program || !is_unloaded || pathrt_registry.exiting || pathrt_registry.restricted)
    return;
  if (is_registered) {
    pathrt_frames_free();
    pathrt_threads_free();
    pathrt_release_counts();
    pathrt_continuous_release();
  }
  pathrt_leave_registry();
}

#pragma GCC diagnostic pop

/* ---- functions of the public header ---- */

void __pathrt_flush(void) {
  pathrt_write_at_end(NULL, true);
}

int pathrt_dump(void) {
  pathrt_start_module();
  return !pathrt_registry.restricted && pathrt_write(NULL) ? 0 : -1;
}

/* Enters the registry.  Returns false if the runtime is disabled or this process does not own the counts.  */
static bool enter_for_change(struct pathrt_entry *entry) {
  pathrt_start_module();
  return pathrt_registry.started && !pathrt_registry.off && pathrt_owns_counts() && pathrt_enter(entry, true);
}

void pathrt_reset(void) {
  struct pathrt_entry entry;
  if (!enter_for_change(&entry))
    return;
  for (struct pathrt_module *each = pathrt_registry.modules; each; each = each->next)
    each->discard(false);
  pathrt_registry.resets++;
  pathrt_leave(&entry);
}

/* Pauses either all modules or none.  */
int pathrt_pause(void) {
  struct pathrt_entry entry;
  bool ok = true;
  if (!enter_for_change(&entry))
    return pathrt_registry.restricted ? -1 : 0;
  for (struct pathrt_module *each = pathrt_registry.modules; each; each = each->next)
    ok &= each->pause();
  for (struct pathrt_module *each = pathrt_registry.modules; each && !ok; each = each->next)
    each->resume();
  pathrt_registry.resets += ok && !pathrt_registry.paused;
  pathrt_registry.paused = ok;
  pathrt_leave(&entry);
  return ok ? 0 : -1;
}

void pathrt_resume(void) {
  struct pathrt_entry entry;
  if (!enter_for_change(&entry))
    return;
  for (struct pathrt_module *each = pathrt_registry.modules; each; each = each->next)
    each->resume();
  pathrt_registry.paused = false;
  pathrt_leave(&entry);
}

int pathrt_test_begin(const char *name) {
  pathrt_start_module();
  bool ok = pathrt_is_test_name(name, "pathrt_test_begin");
  ok &= pathrt_change_test(ok ? name : NULL, false);
  return ok ? 0 : -1;
}

int pathrt_test_end(void) {
  pathrt_start_module();
  const char *name = pathrt_registry.space ? pathrt_space.environment_test : NULL;
  return pathrt_change_test(name, pathrt_registry.environment_test_ran) ? 0 : -1;
}

void pathrt_switch(int on) {
  struct pathrt_entry entry;
  if (!enter_for_change(&entry))
    return;
  pathrt_switch_all(on != 0);
  pathrt_leave(&entry);
}

void pathrt_set_file(const char *pattern) {
  struct pathrt_entry entry;
  if (!enter_for_change(&entry))
    return;
  pathrt_set_pattern(pattern, "pathrt_set_file", &identity);
  pathrt_registry.resets += pathrt_registry.num_counted != 0; /* the new file does not contain the counts that were
                                                                 written to the previous file */
  for (struct pathrt_module *each = pathrt_registry.modules; each; each = each->next)
    each->move();
  pathrt_leave(&entry);
}

void pathrt_on_residual(pathrt_residual_callback callback, void *data) {
  pathrt_start_module();
  __atomic_store_n(&pathrt_registry.residual_callback, NULL, __ATOMIC_RELEASE);
  pathrt_registry.residual_data = data;
  __atomic_store_n(&pathrt_registry.residual_callback, callback, __ATOMIC_RELEASE);
}

/* Does not acquire a lock, because another thread may have crashed while holding it.  */
int pathrt_last_paths(int fd) {
  bool any = false;
  struct pathrt_module *each = __atomic_load_n(&pathrt_registry.modules, __ATOMIC_ACQUIRE);
  for (; each; each = each->next)
    any |= each->print(fd);
  return any ? 0 : -1;
}
