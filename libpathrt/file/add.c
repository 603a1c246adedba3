/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Adds the counts of this process to a profile, which is created if it does not exist.  */
#define _GNU_SOURCE
#include "libpathrt/file/add.h"

#include <errno.h>
#include <sys/stat.h>

#include "libpathrt/file/contents.h"
#include "libpathrt/file/other_build.h"
#include "libpathrt/process/name.h"
#include "libpathrt/process/message.h"
#include "libpathrt/process/registry.h"
#include "profile/format/image.h"
#include "profile/format/merge.h"
#include "profile/format/part.h"
#include "profile/format/saturate.h"
#include "profile/format/system.h"

static bool is_beside; /* true while FILE.PID is being written instead of FILE, because FILE is not a readable
                          profile */
static const struct pathprof_buffer *subtracted; /* counts to subtract from the file, or null */
static bool is_own_run; /* true if the counts come from this process, false if they come from an orphan */

static enum pathrt_added add_here(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                  pathrt_pending pending);

/* Writes the counts of this run to FILE.PID, because FILE is not a readable profile and must not be destroyed.
 * FILE.PID does not need its own lock, because only the process that holds the lock of FILE writes to it.  */
static enum pathrt_added add_beside(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                    const struct pathprof_error *wrong, pathrt_pending pending) {
  struct pathrt_name *beside = &pathrt_space.scratch.beside;
  char offset[PATHRT_DECIMAL_SIZE];
  pathrt_decimal(offset, wrong->offset);
  pathrt_name_extend(beside, file, ".");
  pathrt_name_append_number(beside, (unsigned long)pathprof_sys_getpid());
  if (is_beside || beside->too_long) {
    pathrt_error(pathrt_shown(file), ": offset ", offset, ": ", wrong->reason, "; the counts are not written", NULL);
    return PATHRT_NOT_ADDED;
  }
  is_beside = true;
  enum pathrt_added added = add_here(beside, image, pending);
  is_beside = false;
  if (added == PATHRT_NOT_ADDED)
    return added;
  pathrt_error(pathrt_shown(file), ": offset ", offset, ": ", wrong->reason,
               "; the file was left unchanged, and the profile of this run is in ", pathrt_shown(beside), NULL);
  return PATHRT_ADDED_BESIDE;
}

/* Subtracts the counts in `subtracted`, if any, from `older`, adds the counts in `fresh`, and stores the result in
 * `*sum`.  */
static bool merge(const struct pathprof_image *older, const struct pathprof_image *fresh, struct pathprof_buffer *sum,
                  struct pathprof_error *wrong) {
  struct pathprof_image minuend = *older, subtrahend;
  struct pathprof_buffer rest = {0};
  bool in_second;
  bool ok = !subtracted || (pathprof_image_open(&subtrahend, subtracted->data, subtracted->size, wrong) &&
                            pathprof_merge(older, 1, &subtrahend, PATHPROF_SUBTRACTED, &rest, wrong, &in_second) &&
                            pathprof_image_open(&minuend, rest.data, rest.size, wrong));
  ok = ok && pathprof_merge(&minuend, 1, fresh, 1, sum, wrong, &in_second);
  sum->failed |= rest.failed;
  pathprof_buffer_free(&rest);
  return ok;
}

/* Returns true if the counts must not be added to the older profile, because it contains a different build of a module.
 * In that case, sets `*theirs` to the module in the older profile.  All modules of this process are compared, even
 * those whose counts are written later.  Otherwise, counts of this process would be divided between two profiles.  */
static bool is_other_build(const struct pathprof_image *fresh, const struct pathprof_image *older,
                           struct pathprof_module *theirs) {
  return pathrt_is_other_build(fresh, older, theirs) || (is_own_run && pathrt_relation_of(older, theirs).is_other);
}

static enum pathrt_added add_to(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                const struct pathprof_buffer *old_bytes, const struct pathrt_rights *rights,
                                pathrt_pending pending) {
  struct pathprof_image fresh, older;
  struct pathprof_error wrong = {0};
  struct pathprof_module theirs;
  struct pathprof_buffer sum = {0};
  if (!pathprof_image_open(&fresh, image->data, image->size, &wrong)) {
    pathrt_error(pathrt_shown(file), ": this run's profile is malformed: ", wrong.reason, NULL);
    return PATHRT_NOT_ADDED;
  }
  if (!pathprof_image_open(&older, old_bytes->data, old_bytes->size, &wrong))
    return add_beside(file, image, &wrong, pending);
  if (is_other_build(&fresh, &older, &theirs))
    return pathrt_replace_other_build(file, image, &fresh, &older, &theirs, rights, pending) ? PATHRT_ADDED
                                                                                             : PATHRT_NOT_ADDED;
  enum pathrt_added added = PATHRT_NOT_ADDED;
  if (merge(&older, &fresh, &sum, &wrong))
    added = pathrt_replace(file, &sum, rights, pending) ? PATHRT_ADDED : PATHRT_NOT_ADDED;
  else if (sum.failed)
    pathrt_cannot(file, "cannot merge", ENOMEM);
  else
    added = add_beside(file, image, &wrong, pending);
  pathprof_buffer_free(&sum);
  return added;
}

/* ---- the profile part of a user ---- */

static bool is_part; /* FILE.uUSER is written */

static bool name_part(struct pathrt_name *part, const struct pathrt_name *file) {
  pathrt_name_extend(part, file, PATHPROF_PART_SUFFIX);
  pathrt_name_append_number(part, pathprof_sys_geteuid());
  return !part->too_long;
}

static bool is_own_file(const char *name) {
  struct stat status;
  return pathprof_sys_lstat(name, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == pathprof_sys_geteuid();
}

/* Renames FILE.uUSER, which contains this user's counts, to FILE.  Called if FILE, which belonged to another user, was
 * removed.  Returns false if FILE.uUSER does not exist.  */
static bool promote_part(const struct pathrt_name *file) {
  struct pathrt_name *part = &pathrt_space.scratch.promoted_part;
  return !is_part && !is_beside && name_part(part, file) && is_own_file(part->text) &&
         pathprof_sys_rename(part->text, file->text) == 0;
}

static enum pathrt_added add_here(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                  pathrt_pending pending) {
  struct pathprof_buffer old_bytes = {0};
  struct pathrt_rights rights = {0};
  enum pathrt_added added = PATHRT_NOT_ADDED;
  enum pathrt_found found = pathrt_read_file(file, &old_bytes, &rights);
  if (found == PATHRT_ABSENT && promote_part(file))
    found = pathrt_read_file(file, &old_bytes, &rights);
  switch (found) {
  case PATHRT_ABSENT:
    added = pathrt_replace(file, image, NULL, pending) ? PATHRT_ADDED : PATHRT_NOT_ADDED;
    break;
  case PATHRT_UNREADABLE:
    pathrt_cannot(file, "cannot read the existing profile", errno);
    break;
  case PATHRT_READ:
    added = add_to(file, image, &old_bytes, &rights, pending);
    break;
  }
  pathprof_buffer_free(&old_bytes);
  return added;
}

/* Adds the image to FILE.uUSER, which contains this user's counts because FILE belongs to another user.  The lock of
 * FILE also protects FILE.uUSER.  */
static enum pathrt_added add_to_part(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                     pathrt_pending pending) {
  struct pathrt_name *part = &pathrt_space.scratch.part;
  if (!name_part(part, file)) {
    pathrt_cannot(file, "cannot write", ENAMETOOLONG);
    return PATHRT_NOT_ADDED;
  }
  bool is_first = !is_own_file(part->text);
  is_part = true;
  enum pathrt_added added = add_here(part, image, pending);
  is_part = false;
  if (added == PATHRT_ADDED && is_first)
    pathrt_note(pathrt_shown(file), ": the file belongs to another user and cannot be replaced; the counts are in ",
                pathrt_shown(part), ", which pathdump also reads", NULL);
  return added;
}

/* Tries to change FILE, without a message if permission is denied.  In this case, tries again and prints the message if
 * FILE belongs to this user; otherwise, adds the image to FILE.uUSER.  */
static enum pathrt_added change(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                pathrt_pending pending) {
  pathrt_expect_refusal();
  enum pathrt_added added = add_here(file, image, pending);
  if (!pathrt_was_refused() || added != PATHRT_NOT_ADDED)
    return added;
  return is_own_file(file->text) ? add_here(file, image, pending) : add_to_part(file, image, pending);
}

enum pathrt_added pathrt_file_change(const struct pathrt_name *file, const struct pathprof_buffer *withdrawn,
                                     const struct pathprof_buffer *image, pathrt_pending pending) {
  subtracted = withdrawn;
  is_own_run = true;
  return change(file, image, pending);
}

/* Returns true if the file and the orphan contain different builds of a module.  In that case, sets `*module` to the
 * module in the orphan.  */
static bool differs(const struct pathrt_name *file, const struct pathprof_image *orphan,
                    struct pathprof_module *module) {
  struct pathprof_buffer bytes = {0};
  struct pathprof_image here;
  struct pathprof_error wrong;
  struct pathrt_rights rights;
  bool result = pathrt_read_file(file, &bytes, &rights) == PATHRT_READ &&
                pathprof_image_open(&here, bytes.data, bytes.size, &wrong) &&
                pathrt_is_other_build(&here, orphan, module);
  pathprof_buffer_free(&bytes);
  return result;
}

/* An orphan that has no module in common with this process may come from a build that is older or newer than that of
 * FILE.  If it does not match FILE, it is left for a later process.  */
enum pathrt_added pathrt_file_add_orphan(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                         pathrt_pending pending) {
  struct pathprof_module module;
  struct pathprof_image orphan;
  struct pathprof_error wrong;
  if (!pathprof_image_open(&orphan, image->data, image->size, &wrong))
    return PATHRT_NOT_ADDED;
  struct pathrt_relation relation = pathrt_relation_of(&orphan, &module);
  bool is_of_this_build = relation.is_same && !relation.is_other;
  if (!is_of_this_build && differs(file, &orphan, &module)) {
    bool is_kept = relation.is_other && pathrt_keep_orphan(file, image, &module, pending);
    return is_kept ? PATHRT_ADDED_BESIDE : PATHRT_NOT_ADDED;
  }
  subtracted = NULL;
  is_own_run = false;
  return change(file, image, pending);
}

bool pathrt_join(const struct pathprof_buffer *one, const struct pathprof_buffer *other, struct pathprof_buffer *sum,
                 struct pathprof_error *error) {
  struct pathprof_image first, second;
  bool in_second;
  error->reason = "not enough memory";
  error->offset = 0;
  bool ok = pathprof_image_open(&first, one->data, one->size, error) &&
            pathprof_image_open(&second, other->data, other->size, error) &&
            pathprof_merge(&first, 1, &second, 1, sum, error, &in_second);
  if (!ok)
    pathprof_buffer_free(sum);
  return ok;
}
