/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Writes the counts of all modules to their profiles.  Modules that share a profile are written together, so the
 * profile includes each run only once, and contains either all counts of the run or none of them.  All modules share
 * one profile, unless the pattern for its name contains %m (the build ID of the module).  */
#define _GNU_SOURCE
#include "libpathrt/file/write.h"

#include <errno.h>
#include <sys/mman.h>

#include "libpathrt/file/add.h"
#include "libpathrt/file/adopt.h"
#include "libpathrt/file/lock.h"
#include "libpathrt/file/replace.h"
#include "libpathrt/process/name.h"
#include "libpathrt/process/entry.h"
#include "libpathrt/process/message.h"
#include "libpathrt/process/pattern.h"
#include "libpathrt/process/process.h"
#include "libpathrt/process/registry.h"
#include "libpathrt/process/switched.h"
#include "libpathrt/process/test.h"
#include "profile/format/system.h"
#include "profile/format/text.h"

/* Sum of the images of several modules.  */
struct sum {
  const struct pathprof_buffer *image; /* null if no module has an image */
  struct pathprof_buffer merged;       /* memory for the sum of the images, used if several modules have an image */
};

/* The modules that are written to one file.  */
struct group {
  struct pathrt_name *file;
  uint64_t hash; /* hash of the file name */
  bool is_new;   /* the file does not include this run yet */
  bool unchanged;
  uint64_t num_paths;
  struct sum counts;
  struct sum withdrawn; /* counts to subtract from the file */
  struct pathrt_test_part test;
};

static struct group group;

/* ---- file names ---- */

/* If the module has no build ID, uses the key of its units instead.  */
bool pathrt_name_file(struct pathrt_name *file, const struct pathrt_module *module) {
  const unsigned char *build_id = module->identity->build_id;
  size_t size = module->identity->build_id_size;
  unsigned char key_bytes[8];
  uint64_t key;
  if (!module->key(&key))
    return false;
  if (!build_id) {
    for (int i = 0; i < 8; i++)
      key_bytes[i] = (unsigned char)(key >> (8 * i));
    build_id = key_bytes;
    size = sizeof key_bytes;
  }
  pathrt_name_expand(file, &pathrt_space.pattern, pathrt_space.folder, build_id, size);
  if (file->too_long)
    pathrt_error("PATHPROF_FILE: file name too long; no profile will be written", NULL);
  return !file->too_long;
}

bool pathrt_is_counted(uint64_t hash) {
  for (uint64_t i = 0; i < pathrt_registry.num_counted && i < PATHRT_MAX_COUNTED; i++)
    if (pathrt_space.counted[i] == hash)
      return true;
  return false;
}

/* An unloaded module may already have added the run of the test to the file.  The other modules that are written to the
 * same file must not add the run again.  */
bool pathrt_includes_test(uint64_t hash) {
  for (uint64_t i = 0; i < pathrt_registry.num_told_tests && i < PATHRT_MAX_COUNTED; i++)
    if (pathrt_space.told_tests[i].file == hash && pathrt_space.told_tests[i].serial == pathrt_registry.test_serial)
      return true;
  return pathrt_registry.test_goes_on;
}

/* ---- one group ---- */

/* Returns the first module in the list, starting with `module`, whose `turn` has the given value, or null if there is
 * none.  */
static struct pathrt_module *find(struct pathrt_module *module, enum pathrt_turn turn) {
  while (module && module->turn != turn)
    module = module->next;
  return module;
}

/* Forms a group of `first` and all remaining modules that are written to the same file.  If the file name for `first`
 * cannot be determined, skips the module and returns false.  */
static bool make_group(struct pathrt_module *first) {
  struct pathrt_name *other = &pathrt_space.scratch.other;
  first->turn = PATHRT_DONE;
  group.file = &pathrt_space.scratch.group;
  if (!pathrt_name_file(group.file, first))
    return false;
  first->turn = PATHRT_GROUPED;
  for (struct pathrt_module *module = first->next; (module = find(module, PATHRT_CHOSEN)); module = module->next) {
    if (!pathrt_name_file(other, module))
      module->turn = PATHRT_DONE;
    else if (pathprof_text_equals(other->text, group.file->text))
      module->turn = PATHRT_GROUPED;
  }
  group.hash = pathprof_key(group.file->text, group.file->size);
  group.is_new = !pathrt_is_counted(group.hash);
  return true;
}

/* Adds a module's image to `sum`, which is one of the group's two sums.  */
static bool add_image(struct sum *sum, const struct pathprof_buffer *image) {
  struct pathprof_error error;
  struct pathprof_buffer merged = {0};
  if (!sum->image) {
    sum->image = image;
    return true;
  }
  if (!pathrt_join(sum->image, image, &merged, &error)) {
    pathrt_error(pathrt_shown(group.file), ": cannot merge the counts of two modules: ", error.reason, NULL);
    return false;
  }
  pathprof_buffer_free(&sum->merged);
  sum->merged = merged;
  sum->image = &sum->merged;
  return true;
}

/* Adds the module's withdrawn provisional counts to the counts that must be subtracted from the group's file.  Ignores
 * provisional counts that the module wrote to another file.  */
static bool add_withdrawn(const struct pathrt_module *module) {
  const struct pathprof_buffer *image = module->written_to == group.hash ? module->withdrawn() : NULL;
  return !image || add_image(&group.withdrawn, image);
}

static void note_test_told(void) {
  if (!pathrt_includes_test(group.hash)) {
    uint64_t place = pathrt_registry.num_told_tests++ % PATHRT_MAX_COUNTED;
    pathrt_space.told_tests[place] = (struct pathrt_told_test){group.hash, group.test.serial};
  }
  pathrt_test_told(&group.test);
}

/* Takes a snapshot of the counts of all modules in the group.  Only the image of the first module includes the run, so
 * that the run is counted once.  */
static bool take_snapshot(void) {
  bool ok = true, is_told = pathrt_includes_test(group.hash);
  group.test = pathrt_test_part(is_told);
  struct pathrt_run run = {NULL,
                           group.is_new,
                           group.is_new && pathrt_registry.forked,
                           pathrt_registry.resets,
                           pathrt_was_threaded(),
                           pathrt_switched_for(),
                           group.test};
  group.unchanged = !group.is_new && !run.resets && (is_told || !*group.test.name);
  group.num_paths = 0;
  group.counts.image = group.withdrawn.image = NULL;
  struct pathrt_module *module = pathrt_registry.modules;
  for (; ok && (module = find(module, PATHRT_GROUPED)); module = module->next) {
    uint64_t num_paths = 0;
    run.identity = module->identity;
    const struct pathprof_buffer *image = module->take_snapshot(&run, &num_paths);
    if (!image)
      pathrt_error(pathrt_shown(group.file), ": cannot collect the counts; the profile is not changed", NULL);
    ok = image && add_image(&group.counts, image) && add_withdrawn(module);
    run.runs = run.forks = run.resets = run.threaded = run.switched = 0;
    run.test.runs = run.test.processor_time = run.test.elapsed_time = 0;
    group.num_paths += num_paths;
    group.unchanged &= !num_paths && !module->keeps && module->written_to == group.hash && !group.withdrawn.image;
  }
  return ok;
}

static void leave_group(void) {
  struct pathrt_module *module = pathrt_registry.modules;
  for (; (module = find(module, PATHRT_GROUPED)); module = module->next)
    module->turn = PATHRT_DONE;
}

/* Removes this run from the raw files that contain it, because the profile now includes the run.  Must be called before
 * the counts are committed, because each raw file is marked as included in the profile until the commit.  If a raw file
 * still contained the run after the commit and the process were killed, the run would be counted twice.  */
static void tell_leaders(void) {
  struct pathrt_module *module = pathrt_registry.modules;
  for (; module; module = module->next)
    if (module->run_owner_hash == group.hash)
      module->run_recorded();
}

static void commit(bool written) {
  struct pathrt_module *module = pathrt_registry.modules;
  if (written) {
    tell_leaders();
    note_test_told();
  }
  for (; (module = find(module, PATHRT_GROUPED)); module = module->next) {
    module->commit(written);
    if (written)
      module->written_to = group.hash;
  }
  leave_group();
  pathprof_buffer_free(&group.counts.merged);
  pathprof_buffer_free(&group.withdrawn.merged);
  if (!written)
    return;
  pathrt_registry.resets = 0;
  pathrt_registry.switched_for = 0;
  if (group.is_new)
    pathrt_space.counted[pathrt_registry.num_counted++ % PATHRT_MAX_COUNTED] = group.hash;
}

static void note_pending(const char *name, uint64_t inode) {
  struct pathrt_module *module = pathrt_registry.modules;
  for (; (module = find(module, PATHRT_GROUPED)); module = module->next)
    module->pending(name, inode);
}

static void report_written(void) {
  char decimal[PATHRT_DECIMAL_SIZE];
  if (pathrt_registry.verbose)
    pathrt_note(pathrt_shown(group.file), ": written, ", pathrt_decimal(decimal, group.num_paths), " executed paths",
                NULL);
}

/* Takes a snapshot of the counts and adds it to the profile, which is locked.  On failure, rolls the counts back.  */
static bool add_counts(void) {
  enum pathrt_added added = PATHRT_NOT_ADDED;
  bool taken = take_snapshot();
  if (taken && !group.unchanged)
    added = pathrt_file_change(group.file, group.withdrawn.image, group.counts.image, note_pending);
  bool ok = taken && (group.unchanged || added != PATHRT_NOT_ADDED);
  commit(ok);
  if (added == PATHRT_ADDED)
    report_written();
  return ok;
}

/* Adds the counts of killed processes to the profile, and removes the raw files and temporary files of these processes.
 * Temporary files are removed last, because they show whether the profile already includes an orphan.  */
static void take_in_what_was_left(void) {
  pathrt_adopt_orphans(group.file);
  if (pathrt_lock_was_left())
    pathrt_remove_temporaries(group.file);
}

static enum pathrt_locked lock_and_add(const struct pathrt_entry *entry, bool *ok) {
  enum pathrt_locked locked = pathrt_file_lock(group.file, entry ? &entry->signals : NULL);
  *ok = false;
  if (locked != PATHRT_LOCKED)
    return locked;
  take_in_what_was_left();
  *ok = add_counts();
  pathrt_file_unlock(group.file);
  return locked;
}

/* ---- without a free descriptor ---- */

static void report_no_descriptor(void) {
  pathrt_error(pathrt_shown(group.file), ": cannot lock the file (", pathrt_reason(EMFILE), ")", NULL);
}

/* Function that the helper process executes.  The helper shares the memory of this process but not its descriptors.  */
static void add_with_own_descriptors(void *ok) {
  enum { FIRST = 3, ENOUGH = 32 };
  for (int fd = FIRST; fd < FIRST + ENOUGH; fd++)
    pathprof_sys_close(fd);
  if (lock_and_add(NULL, ok) == PATHRT_NO_DESCRIPTOR)
    report_no_descriptor();
}

/* Writes the group in a helper process, because this process does not have enough free descriptors.  As after vfork,
 * this thread waits until the helper has finished.  No signal is sent when the helper ends, and the program's wait
 * calls do not see the helper.  Signals stay blocked, because handlers must not run in the helper.  */
static bool add_by_helper(void) {
  enum { STACK_SIZE = 1 << 18 };
  bool ok = false;
  char *stack =
      pathprof_sys_mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED || !pathprof_sys_run_helper(add_with_own_descriptors, &ok, stack, STACK_SIZE))
    report_no_descriptor();
  leave_group();
  if (stack != MAP_FAILED)
    pathprof_sys_munmap(stack, STACK_SIZE);
  return ok;
}

/* ---- all groups ---- */

/* Writes the modules in groups, one group per file.  If a signal handler wrote counts or forked while this thread was
 * waiting for the lock, starts again with the first group.  */
static bool write_groups(struct pathrt_module *only, const struct pathrt_entry *entry) {
  bool all_ok = true, ok;
  struct pathrt_module *module;
  for (module = pathrt_registry.modules; module; module = module->next)
    module->turn = !only || module == only ? PATHRT_CHOSEN : PATHRT_DONE;
  while ((module = find(pathrt_registry.modules, PATHRT_CHOSEN))) {
    if (!make_group(module)) {
      all_ok = false;
      continue;
    }
    enum pathrt_locked locked = lock_and_add(entry, &ok);
    if (locked == PATHRT_INTERRUPTED)
      return write_groups(only, entry);
    if (locked == PATHRT_NO_DESCRIPTOR)
      ok = add_by_helper();
    else if (locked == PATHRT_NOT_LOCKED)
      leave_group();
    all_ok &= ok;
  }
  return all_ok;
}

/* ---- tests ---- */

/* Keeps the counts of the group's modules in memory, as counts of the test that has just ended.  */
static bool keep_counts(void) {
  struct pathrt_module *module = pathrt_registry.modules;
  group.test = pathrt_test_part(pathrt_includes_test(group.hash));
  struct pathrt_run run = {NULL, 0, 0, 0, 0, 0, group.test};
  bool ok = true;
  for (; ok && (module = find(module, PATHRT_GROUPED)); module = module->next) {
    run.identity = module->identity;
    ok = module->keep(&run);
    run.test.runs = run.test.processor_time = run.test.elapsed_time = 0;
  }
  if (ok)
    note_test_told();
  else
    pathrt_error(pathrt_shown(group.file),
                 ": cannot keep the counts of a test separately; they are not assigned to any test", NULL);
  leave_group();
  return ok;
}

static bool keep_groups(void) {
  bool all_ok = true;
  struct pathrt_module *module;
  for (module = pathrt_registry.modules; module; module = module->next)
    module->turn = PATHRT_CHOSEN;
  while ((module = find(pathrt_registry.modules, PATHRT_CHOSEN)))
    all_ok &= make_group(module) && keep_counts();
  return all_ok;
}

bool pathrt_change_test(const char *name, bool goes_on) {
  struct pathrt_entry entry;
  if (!pathrt_registry.started || pathrt_registry.off || !pathrt_owns_counts())
    return !pathrt_registry.restricted;
  if (!pathrt_enter(&entry, true))
    return false;
  bool ok = pathrt_registry.continuous ? write_groups(NULL, &entry) : keep_groups();
  pathrt_set_test(ok ? name : NULL, goes_on);
  for (struct pathrt_module *module = pathrt_registry.modules; module; module = module->next)
    module->note_test();
  pathrt_leave(&entry);
  return ok;
}

/* ---- the entry point ---- */

bool pathrt_write(struct pathrt_module *only) {
  struct pathrt_entry entry;
  if (!pathrt_registry.started || pathrt_registry.off || !pathrt_owns_counts())
    return true;
  if (!pathrt_enter(&entry, true))
    return false;
  bool ok = write_groups(only, &entry);
  pathrt_leave(&entry);
  return ok;
}

void pathrt_leave(const struct pathrt_entry *entry) {
  if (pathrt_let_go(entry))
    pathrt_write(NULL);
  errno = entry->saved_errno;
}
