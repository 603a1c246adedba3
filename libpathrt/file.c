/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reading, merging and replacing profile files.  */
#define _GNU_SOURCE
#include "libpathrt/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libpathrt/lock.h"
#include "libpathrt/message.h"
#include "profile/image.h"

static pathrt_pending tell_pending; /* null: nobody is told */
static bool is_beside;              /* FILE.PID is being written, because FILE is no readable profile */

/* Always false, for callers that return it.  */
static bool complain(const struct pathrt_name *file, const char *what, int error) {
  pathrt_error(pathrt_shown(file), ": ", what, " (", pathrt_reason(error), ")", NULL);
  return false;
}

/* ---- reading ---- */

enum found { ABSENT, UNREADABLE, READ };

/* Read, not mapped: whoever truncates the file must not be able to kill the program.  */
bool pathrt_read_all(int fd, struct pathprof_buffer *bytes, size_t size) {
  for (;;) {
    unsigned char *to = pathprof_reserve(bytes, size + 1);
    if (!to) {
      errno = ENOMEM;
      return false;
    }
    ssize_t n = read(fd, to, size + 1);
    if (n == 0)
      return true;
    if (n > 0)
      bytes->size += (size_t)n;
    else if (errno != EINTR)
      return false;
  }
}

/* UNREADABLE leaves errno.  */
static enum found read_file(const struct pathrt_name *file, struct pathprof_buffer *bytes, mode_t *mode) {
  struct stat status;
  int fd = pathrt_open(file->text, O_RDONLY | O_NONBLOCK, 0);
  if (fd < 0)
    return errno == ENOENT ? ABSENT : UNREADABLE;
  bool ok = fstat(fd, &status) == 0 && pathrt_read_all(fd, bytes, (size_t)status.st_size);
  int error = errno;
  close(fd);
  errno = error;
  *mode = ok ? status.st_mode & 0777 : 0;
  return ok ? READ : UNREADABLE;
}

/* ---- replacing ---- */

/* Contents on their way into a file.  */
struct temporary {
  struct pathrt_name name;
};

bool pathrt_write_all(int fd, const unsigned char *data, size_t size) {
  while (size) {
    ssize_t n = write(fd, data, size);
    if (n > 0) {
      data += n;
      size -= (size_t)n;
    } else if (n == 0) {
      errno = ENOSPC;
      return false;
    } else if (errno != EINTR)
      return false;
  }
  return true;
}

/* A file of this name can only be what a dead process with our number left: we hold the lock.  */
static int create(const char *name) {
  int fd = pathrt_open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (fd < 0 && errno == EEXIST && unlink(name) == 0)
    fd = pathrt_open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
  return fd;
}

/* `mode` is that of the file to be replaced, 0 for a new one.  */
static bool write_temporary(struct temporary *temporary, const struct pathrt_name *file,
                            const struct pathprof_buffer *bytes, mode_t mode) {
  struct pathrt_name *name = &temporary->name;
  pathrt_name_extend(name, file, ".");
  pathrt_name_append_number(name, (unsigned long)getpid());
  pathrt_name_append(name, ".tmp");
  if (name->too_long)
    return complain(file, "cannot write", ENAMETOOLONG);
  int fd = create(name->text);
  if (fd < 0)
    return complain(file, "cannot write", errno);
  if (mode && fchmod(fd, mode) != 0)
    errno = 0; /* the file is another user's; ours has our mode then */
  bool ok = pathrt_write_all(fd, bytes->data, bytes->size);
  int error = errno;
  if (close(fd) != 0 && ok && errno != EINTR) {
    error = errno;
    ok = false;
  }
  if (ok)
    return true;
  unlink(name->text);
  return complain(file, "cannot write", error);
}

static bool commit(const struct temporary *temporary, const struct pathrt_name *file) {
  struct stat status;
  if (tell_pending && lstat(temporary->name.text, &status) == 0)
    tell_pending(pathrt_base_name(temporary->name.text), status.st_ino);
  if (rename(temporary->name.text, file->text) == 0)
    return true;
  int error = errno;
  unlink(temporary->name.text);
  return complain(file, "cannot rename the new profile", error);
}

static bool replace(const struct pathrt_name *file, const struct pathprof_buffer *bytes, mode_t mode) {
  static struct temporary temporary;
  return write_temporary(&temporary, file, bytes, mode) && commit(&temporary, file);
}

/* ---- another build ---- */

static bool same_text(struct pathprof_text a, struct pathprof_text b) {
  return a.size == b.size && (!a.size || memcmp(a.data, b.data, a.size) == 0);
}

/* Looks for modules of that name in a profile.  *same: there is one with the same units; *other:
 * one with other units, which *found is then.  */
static void find_module(const struct pathprof_image *image, const struct pathprof_module *wanted, bool *same,
                        bool *other, struct pathprof_module *found) {
  struct pathprof_cursor cursor = image->section[PATHPROF_SECTION_PROGRAM];
  struct pathprof_program program;
  struct pathprof_module module;
  *same = *other = false;
  pathprof_get_program(&cursor, &program);
  for (uint64_t i = 0; i < program.num_modules; i++) {
    pathprof_get_module(&cursor, &module);
    if (!pathprof_cursor_ok(&cursor))
      return;
    if (!same_text(module.name, wanted->name))
      continue;
    *same |= module.units_key == wanted->units_key;
    if (module.units_key != wanted->units_key && !*other) {
      *other = true;
      *found = module;
    }
  }
}

/* Whether the older profile is of another build of one of our modules, which *found is then, as it
 * is there.  */
static bool is_other_build(const struct pathprof_image *fresh, const struct pathprof_image *older,
                           struct pathprof_module *found) {
  struct pathprof_cursor cursor = fresh->section[PATHPROF_SECTION_PROGRAM];
  struct pathprof_program program;
  struct pathprof_module module;
  bool same, other;
  pathprof_get_program(&cursor, &program);
  for (uint64_t i = 0; i < program.num_modules; i++) {
    pathprof_get_module(&cursor, &module);
    find_module(older, &module, &same, &other, found);
    if (other && !same)
      return true;
  }
  return false;
}

/* What differs between two builds, in words.  */
struct difference {
  struct pathprof_index here, there; /* this build's unit and the older one's */
  bool found;
  char text[512];
};

static void describe(struct difference *difference, const struct pathprof_index *unit, const char *how) {
  char paths_here[PATHRT_DECIMAL_SIZE], paths_there[PATHRT_DECIMAL_SIZE];
  int source_size = unit->source.size < 128 ? (int)unit->source.size : 128;
  const char *what = unit->name_size ? "function '" : "the program of paths through calls",
             *quote = unit->name_size ? "'" : "";
  int at = snprintf(difference->text, sizeof difference->text, "%s%.200s%s%s%.*s ", what, unit->name, quote,
                    source_size ? " in " : "", source_size, (const char *)unit->source.data);
  difference->found = true;
  if (how)
    snprintf(difference->text + at, sizeof difference->text - (size_t)at, "%s", how);
  else
    snprintf(difference->text + at, sizeof difference->text - (size_t)at, "has %s paths here, %s there",
             pathrt_decimal(paths_here, difference->here.num_paths),
             pathrt_decimal(paths_there, difference->there.num_paths));
}

/* Compares the functions of the two units, which are sorted by name.  */
static void compare_functions(struct difference *difference) {
  struct pathprof_index *here = &difference->here, *there = &difference->there;
  bool has_here = pathprof_index_next(here), has_there = pathprof_index_next(there);
  while (!difference->found && (has_here || has_there)) {
    int order = !has_here ? 1 : !has_there ? -1 : strcmp(here->name, there->name);
    if (order < 0)
      describe(difference, here, "is not in the older build");
    else if (order > 0)
      describe(difference, there, "is only in the older build");
    else if (here->num_paths != there->num_paths)
      describe(difference, here, NULL);
    else if (here->checksum != there->checksum)
      describe(difference, here, "has another control flow");
    has_here = pathprof_index_next(here);
    has_there = pathprof_index_next(there);
  }
}

/* Opens the unit of that source file in `in`.  An empty index where there is none.  */
static void open_unit_of(struct pathprof_index *index, struct pathprof_text source, const struct pathprof_image *in) {
  struct pathprof_cursor cursor = in->section[PATHPROF_SECTION_UNITS];
  struct pathprof_unit_notes unit;
  uint64_t n = pathprof_get_varint(&cursor);
  for (uint64_t i = 0; i < n && pathprof_cursor_ok(&cursor); i++) {
    pathprof_get_unit(&cursor, &unit);
    pathprof_index_open(index, unit.notes, 0);
    if (pathprof_cursor_ok(&cursor) && same_text(index->source, source))
      return;
  }
  memset(index, 0, sizeof *index);
}

/* Compares each unit of `units` with the one of the same source in `others`.  `of_this_build` says
 * which side `units` are.  */
static void compare_units(struct difference *difference, const struct pathprof_image *units,
                          const struct pathprof_image *others, bool of_this_build) {
  struct pathprof_cursor cursor = units->section[PATHPROF_SECTION_UNITS];
  struct pathprof_unit_notes unit;
  uint64_t n = pathprof_get_varint(&cursor);
  for (uint64_t i = 0; i < n && !difference->found; i++) {
    pathprof_get_unit(&cursor, &unit);
    if (!pathprof_cursor_ok(&cursor))
      return;
    struct pathprof_index *one = of_this_build ? &difference->here : &difference->there;
    struct pathprof_index *other = of_this_build ? &difference->there : &difference->here;
    pathprof_index_open(one, unit.notes, 0);
    open_unit_of(other, one->source, others);
    compare_functions(difference);
  }
}

static const char *describe_difference(const struct pathprof_image *here, const struct pathprof_image *there) {
  static struct difference difference;
  difference.found = false;
  compare_units(&difference, here, there, true);
  if (!difference.found)
    compare_units(&difference, there, here, false);
  return difference.found ? difference.text : "the functions are the same, their source lines or options are not";
}

/* Whether a profile is there that holds the same build.  ABSENT: the name is free.  */
static enum found find_kept(const struct pathrt_name *name, const struct pathprof_module *module,
                            struct pathprof_buffer *bytes, struct pathprof_image *image, mode_t *mode) {
  struct pathprof_module other_module;
  struct pathprof_error error;
  bool same, other;
  bytes->size = 0;
  enum found found = read_file(name, bytes, mode);
  if (found != READ)
    return found;
  if (!pathprof_image_open(image, bytes->data, bytes->size, &error))
    return UNREADABLE;
  find_module(image, module, &same, &other, &other_module);
  return same && !other ? READ : UNREADABLE;
}

/* Adds the older profile to what was kept of its build before.  The file itself stays: the new
 * profile is about to replace it.  */
static bool add_to_kept(const struct pathrt_name *name, const struct pathprof_image *kept,
                        const struct pathprof_image *older, mode_t mode) {
  struct pathprof_buffer sum = {0};
  struct pathprof_error error;
  pathrt_pending outer = tell_pending;
  bool in_second, ok = false;
  tell_pending = NULL;
  if (pathprof_merge(kept, 1, older, 1, &sum, &error, &in_second))
    ok = replace(name, &sum, mode);
  else
    pathrt_error(pathrt_shown(name), ": cannot be merged: ", error.reason, NULL);
  tell_pending = outer;
  pathprof_buffer_free(&sum);
  return ok;
}

/* Where a profile of another build is kept: FILE.BUILDID, else FILE.BUILDID.1, .2 and so on.  READ: what
 * was kept of this build before is there; UNREADABLE: after a message.  */
static enum found find_place(const struct pathrt_name *file, const struct pathprof_module *module,
                             struct pathrt_name *kept_name, struct pathprof_buffer *bytes, struct pathprof_image *kept,
                             mode_t *mode) {
  enum { MAX_TRIES = 1000 };
  enum found found = UNREADABLE;
  for (unsigned long i = 0; i < MAX_TRIES && found == UNREADABLE; i++) {
    pathrt_name_extend(kept_name, file, ".");
    pathrt_name_append_hex(kept_name, module->build_id.data, module->build_id.size);
    if (i) {
      pathrt_name_append(kept_name, ".");
      pathrt_name_append_number(kept_name, i);
    }
    if (kept_name->too_long)
      break;
    found = find_kept(kept_name, module, bytes, kept, mode);
  }
  if (found == UNREADABLE)
    complain(file, "cannot keep the profile of another build", kept_name->too_long ? ENAMETOOLONG : EEXIST);
  return found;
}

/* Moves the older profile out of the way.  */
static bool keep(const struct pathrt_name *file, const struct pathprof_image *older,
                 const struct pathprof_module *module, struct pathrt_name *kept_name) {
  struct pathprof_buffer bytes = {0};
  struct pathprof_image kept;
  mode_t mode = 0;
  bool ok = false;
  enum found found = find_place(file, module, kept_name, &bytes, &kept, &mode);
  if (found == READ)
    ok = add_to_kept(kept_name, &kept, older, mode);
  else if (found == ABSENT)
    ok =
        rename(file->text, kept_name->text) == 0 || complain(file, "cannot rename the profile of another build", errno);
  pathprof_buffer_free(&bytes);
  return ok;
}

/* The new profile is complete on disk before the older one is touched.  */
static bool replace_other_build(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                const struct pathprof_image *fresh, const struct pathprof_image *older,
                                const struct pathprof_module *module, mode_t mode) {
  static struct temporary temporary;
  static struct pathrt_name kept_name;
  char module_name[256];
  size_t n = module->name.size < sizeof module_name ? module->name.size : sizeof module_name - 1;
  if (n)
    memcpy(module_name, module->name.data, n);
  module_name[n] = '\0';
  const char *difference = describe_difference(fresh, older);
  if (!write_temporary(&temporary, file, image, mode))
    return false;
  if (!keep(file, older, module, &kept_name)) {
    unlink(temporary.name.text);
    return false;
  }
  if (!commit(&temporary, file))
    return false;
  pathrt_note(pathrt_shown(file), ": is of another build of ", module_name, " (", difference, "); kept as ",
              pathrt_shown(&kept_name), NULL);
  return true;
}

/* ---- adding ---- */

/* The file is not ours to destroy: this run goes beside it.  FILE.PID needs no lock of its own:
 * nobody else writes it without that of FILE.  */
static enum pathrt_added add_beside(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                    const struct pathprof_error *wrong) {
  static struct pathrt_name beside;
  char offset[PATHRT_DECIMAL_SIZE];
  pathrt_decimal(offset, wrong->offset);
  pathrt_name_extend(&beside, file, ".");
  pathrt_name_append_number(&beside, (unsigned long)getpid());
  if (is_beside || beside.too_long) {
    pathrt_error(pathrt_shown(file), ": offset ", offset, ": ", wrong->reason, "; nothing is written", NULL);
    return PATHRT_NOT_ADDED;
  }
  is_beside = true;
  enum pathrt_added added = pathrt_file_add(&beside, image, tell_pending);
  is_beside = false;
  if (added == PATHRT_NOT_ADDED)
    return added;
  pathrt_error(pathrt_shown(file), ": offset ", offset, ": ", wrong->reason, "; left as it is, this run is in ",
               pathrt_shown(&beside), NULL);
  return PATHRT_ADDED_BESIDE;
}

static enum pathrt_added add_to(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                const struct pathprof_buffer *old_bytes, mode_t mode) {
  struct pathprof_image fresh, older;
  struct pathprof_error wrong = {0};
  struct pathprof_module theirs;
  struct pathprof_buffer sum = {0};
  bool in_second;
  if (!pathprof_image_open(&fresh, image->data, image->size, &wrong)) {
    pathrt_error(pathrt_shown(file), ": this run's profile is malformed: ", wrong.reason, NULL);
    return PATHRT_NOT_ADDED;
  }
  if (!pathprof_image_open(&older, old_bytes->data, old_bytes->size, &wrong))
    return add_beside(file, image, &wrong);
  if (is_other_build(&fresh, &older, &theirs))
    return replace_other_build(file, image, &fresh, &older, &theirs, mode) ? PATHRT_ADDED : PATHRT_NOT_ADDED;
  enum pathrt_added added = PATHRT_NOT_ADDED;
  if (pathprof_merge(&older, 1, &fresh, 1, &sum, &wrong, &in_second))
    added = replace(file, &sum, mode) ? PATHRT_ADDED : PATHRT_NOT_ADDED;
  else if (sum.failed)
    complain(file, "cannot merge", ENOMEM);
  else
    added = add_beside(file, image, &wrong);
  pathprof_buffer_free(&sum);
  return added;
}

enum pathrt_added pathrt_file_add(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                  pathrt_pending pending) {
  tell_pending = pending;
  struct pathprof_buffer old_bytes = {0};
  mode_t mode = 0;
  enum pathrt_added added = PATHRT_NOT_ADDED;
  switch (read_file(file, &old_bytes, &mode)) {
  case ABSENT:
    added = replace(file, image, 0) ? PATHRT_ADDED : PATHRT_NOT_ADDED;
    break;
  case UNREADABLE:
    complain(file, "cannot read the profile that is there", errno);
    break;
  case READ:
    added = add_to(file, image, &old_bytes, mode);
    break;
  }
  pathprof_buffer_free(&old_bytes);
  return added;
}

/* ---- orphans ---- */

/* Whether the file is a profile of another build than the orphan, whose module *module is then.  */
static bool differs(const struct pathrt_name *file, const struct pathprof_buffer *orphan,
                    struct pathprof_module *module) {
  struct pathprof_buffer bytes = {0};
  struct pathprof_image here, theirs;
  struct pathprof_error wrong;
  mode_t mode;
  bool result = read_file(file, &bytes, &mode) == READ && pathprof_image_open(&here, bytes.data, bytes.size, &wrong) &&
                pathprof_image_open(&theirs, orphan->data, orphan->size, &wrong) &&
                is_other_build(&here, &theirs, module);
  pathprof_buffer_free(&bytes);
  return result;
}

/* Adds an orphan to what is kept of its build.  */
static bool keep_orphan(const struct pathrt_name *file, const struct pathprof_buffer *image,
                        const struct pathprof_module *module) {
  static struct pathrt_name kept_name;
  struct pathprof_buffer bytes = {0}, sum = {0};
  struct pathprof_image kept, orphan;
  struct pathprof_error wrong;
  mode_t mode = 0;
  bool in_second, ok = false;
  enum found found = find_place(file, module, &kept_name, &bytes, &kept, &mode);
  if (found == ABSENT)
    ok = replace(&kept_name, image, 0);
  else if (found == READ)
    ok = pathprof_image_open(&orphan, image->data, image->size, &wrong) &&
         pathprof_merge(&kept, 1, &orphan, 1, &sum, &wrong, &in_second) && replace(&kept_name, &sum, mode);
  pathprof_buffer_free(&sum);
  pathprof_buffer_free(&bytes);
  return ok;
}

enum pathrt_added pathrt_file_add_orphan(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                         bool of_this_build, pathrt_pending pending) {
  struct pathprof_module module;
  tell_pending = pending;
  if (!of_this_build && differs(file, image, &module))
    return keep_orphan(file, image, &module) ? PATHRT_ADDED_BESIDE : PATHRT_NOT_ADDED;
  return pathrt_file_add(file, image, pending);
}
