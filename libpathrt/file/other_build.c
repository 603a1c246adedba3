/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Keeps the profiles from other builds of a program under separate names.  */
#define _GNU_SOURCE
#include "libpathrt/file/other_build.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "libpathrt/file/contents.h"
#include "libpathrt/file/difference.h"
#include "libpathrt/process/message.h"
#include "libpathrt/process/registry.h"
#include "profile/format/merge.h"
#include "profile/format/system.h"
#include "profile/format/text.h"

/* Searches a profile for modules with the same name as `wanted`.  Sets `*same` if one of them has the same units as
 * `wanted`.  If one of them has different units, sets `*other` and copies that module to `*found`.  */
static void find_module(const struct pathprof_image *image, const struct pathprof_module *wanted, bool *same,
                        bool *other, struct pathprof_module *found) {
  struct pathprof_cursor cursor = image->section[PATHPROF_SECTION_PROGRAM];
  struct pathprof_program program;
  struct pathprof_module module;
  *same = *other = false;
  pathprof_get_program(&cursor, &program);
  for (uint64_t left = program.num_modules; pathprof_next_module(&cursor, &left, &module);) {
    if (!pathprof_same_text(module.name, wanted->name))
      continue;
    *same |= module.units_key == wanted->units_key;
    if (module.units_key != wanted->units_key && !*other) {
      *other = true;
      *found = module;
    }
  }
}

bool pathrt_is_other_build(const struct pathprof_image *fresh, const struct pathprof_image *older,
                           struct pathprof_module *found) {
  struct pathprof_cursor cursor = fresh->section[PATHPROF_SECTION_PROGRAM];
  struct pathprof_program program;
  struct pathprof_module module;
  bool same, other;
  pathprof_get_program(&cursor, &program);
  for (uint64_t left = program.num_modules; pathprof_next_module(&cursor, &left, &module);) {
    find_module(older, &module, &same, &other, found);
    if (other && !same)
      return true;
  }
  return false;
}

struct pathrt_relation pathrt_relation_of(const struct pathprof_image *profile, struct pathprof_module *found) {
  struct pathrt_relation relation = {false, false};
  struct pathprof_module running = {0}, theirs;
  bool same, other;
  for (struct pathrt_module *module = pathrt_registry.modules; module; module = module->next) {
    running.name.data = (const unsigned char *)module->identity->module;
    running.name.size = pathprof_text_size(module->identity->module);
    if (!module->key(&running.units_key))
      continue;
    find_module(profile, &running, &same, &other, &theirs);
    relation.is_same |= same;
    if (!same && other && !relation.is_other) {
      relation.is_other = true;
      *found = theirs;
    }
  }
  return relation;
}

/* Reads the file `name`.  Returns PATHRT_READ if it is a profile from the build of `module` and contains no other build
 * of any module in `profile`, and PATHRT_ABSENT if the file does not exist.  */
static enum pathrt_found find_kept(const struct pathrt_name *name, const struct pathprof_image *profile,
                                   const struct pathprof_module *module, struct pathprof_buffer *bytes,
                                   struct pathprof_image *image, struct pathrt_rights *rights) {
  struct pathprof_module other_module;
  struct pathprof_error error;
  bool same, other;
  bytes->size = 0;
  enum pathrt_found found = pathrt_read_file(name, bytes, rights);
  if (found != PATHRT_READ)
    return found;
  if (!pathprof_image_open(image, bytes->data, bytes->size, &error))
    return PATHRT_UNREADABLE;
  find_module(image, module, &same, &other, &other_module);
  return same && !other && !pathrt_is_other_build(profile, image, &other_module) ? PATHRT_READ : PATHRT_UNREADABLE;
}

/* Adds the older profile to the profile that is kept for its build.  Does not remove the file of the older profile,
 * because the new profile is about to replace that file.  */
static bool add_to_kept(const struct pathrt_name *name, const struct pathprof_image *kept,
                        const struct pathprof_image *older, const struct pathrt_rights *rights) {
  struct pathprof_buffer sum = {0};
  struct pathprof_error error;
  bool in_second, ok = false;
  if (pathprof_merge(kept, 1, older, 1, &sum, &error, &in_second))
    ok = pathrt_replace(name, &sum, rights, NULL);
  else
    pathrt_error(pathrt_shown(name), ": cannot merge the profile: ", error.reason, NULL);
  pathprof_buffer_free(&sum);
  return ok;
}

/* Selects the name under which `profile`, which comes from another build of `module`, is kept.  Tries FILE.BUILDID,
 * then FILE.BUILDID.1 and so on.  Returns PATHRT_READ if the file with this name is a profile from that build, and
 * PATHRT_ABSENT if the file does not exist.  On failure, prints a message and returns PATHRT_UNREADABLE.  */
static enum pathrt_found find_place(const struct pathrt_name *file, const struct pathprof_image *profile,
                                    const struct pathprof_module *module, struct pathrt_name *kept_name,
                                    struct pathprof_buffer *bytes, struct pathprof_image *kept,
                                    struct pathrt_rights *rights) {
  enum { MAX_TRIES = 1000 };
  enum pathrt_found found = PATHRT_UNREADABLE;
  for (unsigned long i = 0; i < MAX_TRIES && found == PATHRT_UNREADABLE; i++) {
    pathrt_name_extend(kept_name, file, ".");
    pathrt_name_append_hex(kept_name, module->build_id.data, module->build_id.size);
    if (i) {
      pathrt_name_append(kept_name, ".");
      pathrt_name_append_number(kept_name, i);
    }
    if (kept_name->too_long)
      break;
    found = find_kept(kept_name, profile, module, bytes, kept, rights);
  }
  if (found == PATHRT_UNREADABLE)
    pathrt_cannot(file, "cannot keep the profile of another build", kept_name->too_long ? ENAMETOOLONG : EEXIST);
  return found;
}

/* Keeps the older profile.  If a profile is already kept for its build, adds the older profile to that profile.
 * Otherwise, renames the older profile.  */
static bool keep(const struct pathrt_name *file, const struct pathprof_image *older,
                 const struct pathprof_module *module, struct pathrt_name *kept_name) {
  struct pathprof_buffer bytes = {0};
  struct pathprof_image kept;
  struct pathrt_rights rights = {0};
  bool ok = false;
  enum pathrt_found found = find_place(file, older, module, kept_name, &bytes, &kept, &rights);
  if (found == PATHRT_READ)
    ok = add_to_kept(kept_name, &kept, older, &rights);
  else if (found == PATHRT_ABSENT)
    ok = pathprof_sys_rename(file->text, kept_name->text) == 0 ||
         pathrt_cannot(file, "cannot rename the profile of another build", errno);
  pathprof_buffer_free(&bytes);
  return ok;
}

bool pathrt_replace_other_build(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                const struct pathprof_image *fresh, const struct pathprof_image *older,
                                const struct pathprof_module *module, const struct pathrt_rights *rights,
                                pathrt_pending pending) {
  struct pathrt_name *temporary = &pathrt_space.scratch.temporary_of_kept, *kept_name = &pathrt_space.scratch.kept;
  char module_name[256], difference[PATHRT_DIFFERENCE_SIZE];
  size_t n = module->name.size < sizeof module_name ? module->name.size : sizeof module_name - 1;
  if (n)
    memcpy(module_name, module->name.data, n);
  module_name[n] = '\0';
  pathrt_difference(fresh, older, difference);
  if (!pathrt_write_temporary(temporary, file, image, rights))
    return false;
  if (!keep(file, older, module, kept_name)) {
    pathprof_sys_unlink(temporary->text);
    return false;
  }
  if (!pathrt_commit(temporary, file, pending))
    return false;
  pathrt_note(pathrt_shown(file), ": profile of another build of ", module_name, " (", difference, "); kept as ",
              pathrt_shown(kept_name), NULL);
  return true;
}

bool pathrt_keep_orphan(const struct pathrt_name *file, const struct pathprof_buffer *image,
                        const struct pathprof_module *module, pathrt_pending pending) {
  struct pathrt_name *kept_name = &pathrt_space.scratch.kept;
  struct pathprof_buffer bytes = {0}, sum = {0};
  struct pathprof_image kept, orphan;
  struct pathprof_error wrong;
  struct pathrt_rights rights = {0};
  bool in_second, ok = false;
  if (!pathprof_image_open(&orphan, image->data, image->size, &wrong))
    return false;
  enum pathrt_found found = find_place(file, &orphan, module, kept_name, &bytes, &kept, &rights);
  if (found == PATHRT_ABSENT)
    ok = pathrt_replace(kept_name, image, NULL, pending);
  else if (found == PATHRT_READ)
    ok = pathprof_merge(&kept, 1, &orphan, 1, &sum, &wrong, &in_second) &&
         pathrt_replace(kept_name, &sum, &rights, pending);
  pathprof_buffer_free(&sum);
  pathprof_buffer_free(&bytes);
  return ok;
}
