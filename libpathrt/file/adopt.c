/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Finds the raw files of processes that have ended, and adds their counts to the profile.  */
#define _GNU_SOURCE
#include "libpathrt/file/adopt.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>

#include "libpathrt/file/add.h"
#include "libpathrt/file/contents.h"
#include "libpathrt/file/folder.h"
#include "libpathrt/process/name.h"
#include "libpathrt/process/message.h"
#include "libpathrt/process/open.h"
#include "libpathrt/process/registry.h"
#include "profile/format/image.h"
#include "profile/format/raw.h"
#include "profile/format/raw_convert.h"
#include "profile/format/system.h"
#include "profile/format/text.h"

/* Orphan that is being added.  */
static struct {
  struct pathrt_name name;
  const struct pathrt_name *file;
  int folder;
  int writable_fd;
  struct pathprof_buffer bytes;
  struct pathprof_buffer image;
} orphan;

/* ---- contents of the orphan ---- */

static bool is_called(const struct pathprof_module *module, const char *name) {
  struct pathprof_text text = {(const unsigned char *)name, pathprof_text_size(name)};
  return pathprof_same_text(module->name, text);
}

/* Returns true if the running program contains the build of the module that `wanted` describes.  */
static bool is_running(const struct pathprof_module *wanted) {
  uint64_t key;
  for (struct pathrt_module *module = pathrt_registry.modules; module; module = module->next)
    if (is_called(wanted, module->identity->module) && module->key(&key) && key == wanted->units_key)
      return true;
  return false;
}

static bool is_of_this_build(const struct pathprof_image *image) {
  struct pathprof_cursor cursor = image->section[PATHPROF_SECTION_PROGRAM];
  struct pathprof_program program;
  struct pathprof_module module;
  pathprof_get_program(&cursor, &program);
  for (uint64_t left = program.num_modules; pathprof_next_module(&cursor, &left, &module);)
    if (is_running(&module))
      return true;
  return false;
}

/* Returns true if the image contains no counts, runs or resets, for example because the process wrote its counts before
 * it called exec.  */
static bool is_empty(const struct pathprof_image *image) {
  struct pathprof_cursor cursor = image->section[PATHPROF_SECTION_PROGRAM];
  struct pathprof_cursor counts = image->section[PATHPROF_SECTION_COUNTS];
  struct pathprof_program program;
  pathprof_get_program(&cursor, &program);
  bool has_counts = false;
  while (!has_counts && pathprof_cursor_left(&counts))
    has_counts = pathprof_get_varint(&counts) != 0;
  return !program.runs && !program.resets && !has_counts;
}

/* Returns true if the process was killed before it completed the header of its raw file.  */
static bool is_unfinished(void) {
  static const unsigned char zeros[sizeof PATHPROF_RAW_MAGIC - 1];
  return orphan.bytes.size < sizeof zeros || memcmp(orphan.bytes.data, zeros, sizeof zeros) == 0;
}

/* ---- adding the orphan ---- */

/* Records in the orphan which file is about to become the profile.  If this process is killed after it renames the file
 * but before it removes the orphan, the next process can detect that the profile already contains the orphan's
 * counts.  */
static void note_pending(const char *name, uint64_t inode) {
  char padded[PATHPROF_RAW_NAME_SIZE] = "";
  if (pathprof_text_size(name) >= sizeof padded)
    return;
  pathprof_text_copy(padded, name, sizeof padded);
  bool ok = pathprof_sys_pwrite(orphan.writable_fd, padded, sizeof padded,
                                offsetof(struct pathprof_raw_header, pending_name)) == sizeof padded;
  if (ok)
    ok = pathprof_sys_pwrite(orphan.writable_fd, &inode, sizeof inode, offsetof(struct pathprof_raw_header, pending)) ==
         sizeof inode;
  (void)ok;
}

/* Appends to the orphan the counts that are about to be added to the profile.  If the process that created the orphan
 * is still alive after all, it subtracts these counts from its own counts.  */
static void note_adopted(void) {
  uint64_t at[2] = {orphan.image.size, orphan.bytes.size};
  bool ok = pathprof_sys_pwrite(orphan.writable_fd, orphan.image.data, orphan.image.size, (off_t)orphan.bytes.size) ==
            (ssize_t)orphan.image.size;
  if (ok)
    ok = pathprof_sys_pwrite(orphan.writable_fd, at, sizeof at, offsetof(struct pathprof_raw_header, adopted_size)) ==
         (ssize_t)sizeof at;
  (void)ok; /* if the disk is full, the counts are added to the profile anyway */
}

static void report_adopted(void) {
  if (pathrt_registry.verbose)
    pathrt_note(pathrt_shown(&orphan.name), ": left by a process that did not end normally; added to ",
                pathrt_shown(orphan.file), NULL);
}

static void complain(const struct pathprof_error *wrong) {
  char offset[PATHRT_DECIMAL_SIZE];
  pathrt_error(pathrt_shown(&orphan.name), ": offset ", pathrt_decimal(offset, wrong->offset), ": ", wrong->reason,
               "; left unchanged", NULL);
}

/* Adds the orphan to the profile.  Returns true if the orphan can be removed.  */
static bool add_contents(void) {
  struct pathprof_error wrong;
  struct pathprof_image image;
  if (is_unfinished() || pathprof_raw_is_settled(orphan.bytes.data, orphan.bytes.size, orphan.folder))
    return true;
  if (!pathprof_raw_convert(orphan.bytes.data, orphan.bytes.size, &orphan.image, &wrong) ||
      !pathprof_image_open(&image, orphan.image.data, orphan.image.size, &wrong)) {
    complain(&wrong);
    return false;
  }
  if (is_empty(&image))
    return true;
  note_adopted();
  if (pathrt_file_add_orphan(orphan.file, &orphan.image, is_of_this_build(&image), note_pending) == PATHRT_NOT_ADDED) {
    note_pending("", 0);
    return false;
  }
  report_adopted();
  return true;
}

/* Adds an orphan to the profile and removes it.  Skips the orphan if this user is not permitted to change and remove
 * it.  Otherwise, its counts would be added again in each run.  */
static void adopt_dead(int fd) {
  orphan.writable_fd = pathrt_open(orphan.name.text, O_WRONLY, 0);
  if (orphan.writable_fd < 0 || !pathprof_sys_is_writable(orphan.folder))
    return;
  if (pathrt_read_profile(fd, &orphan.bytes) && add_contents())
    pathprof_sys_unlink(orphan.name.text);
}

static void visit(int folder, const char *name, const struct pathrt_name *file) {
  if (!pathprof_is_raw_name(name, pathrt_base_name(file->text)))
    return;
  orphan.file = file;
  orphan.folder = folder;
  orphan.writable_fd = -1;
  pathrt_name_extend(&orphan.name, file, name + pathprof_text_size(pathrt_base_name(file->text)));
  int fd = orphan.name.too_long ? -1 : pathrt_open(orphan.name.text, O_RDONLY, 0);
  enum pathprof_life life = fd >= 0 ? pathprof_raw_life(fd) : PATHPROF_ALIVE;
  if (life == PATHPROF_DEAD && pathrt_is_named(fd, orphan.name.text))
    adopt_dead(fd);
  else if (life == PATHPROF_UNKNOWN && pathrt_registry.verbose)
    pathrt_note(pathrt_shown(&orphan.name),
                ": its process may still be running in another container or on another machine; "
                "left unchanged",
                NULL);
  pathprof_buffer_free(&orphan.bytes);
  pathprof_buffer_free(&orphan.image);
  if (orphan.writable_fd >= 0)
    pathprof_sys_close(orphan.writable_fd);
  if (fd >= 0)
    pathprof_sys_close(fd);
}

void pathrt_adopt_orphans(const struct pathrt_name *file) {
  pathrt_visit_folder(file, visit);
}
