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
#include "libpathrt/file/other_build.h"
#include "libpathrt/process/name.h"
#include "libpathrt/process/message.h"
#include "libpathrt/process/open.h"
#include "libpathrt/process/registry.h"
#include "profile/format/image.h"
#include "profile/format/raw.h"
#include "profile/format/raw_convert.h"
#include "profile/format/system.h"
#include "profile/format/text.h"

/* A raw file whose process has ended.  */
struct dead_file {
  char name[256]; /* without the directory; empty if the file has been handled */
  struct pathprof_owner owner;
};

/* A raw file that is being added.  */
struct orphan {
  struct pathrt_name name;
  int fd, writable_fd;
  struct pathprof_buffer bytes, image;
  bool adds; /* true if the profile does not contain the counts yet */
};

static const struct pathrt_name *profile;
static struct pathprof_buffer dead_files; /* struct dead_file */
static struct pathprof_buffer orphans;    /* the raw files of one process, as struct orphan */

static struct orphan *first_orphan(void) {
  return (struct orphan *)(void *)orphans.data;
}

static struct orphan *end_of_orphans(void) {
  return first_orphan() + orphans.size / sizeof(struct orphan);
}

/* ---- contents of an orphan ---- */

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
static bool is_unfinished(const struct orphan *orphan) {
  static const unsigned char zeros[sizeof PATHPROF_RAW_MAGIC - 1];
  return orphan->bytes.size < sizeof zeros || memcmp(orphan->bytes.data, zeros, sizeof zeros) == 0;
}

static void complain(const struct orphan *orphan, const struct pathprof_error *wrong) {
  char offset[PATHRT_DECIMAL_SIZE];
  pathrt_error(pathrt_shown(&orphan->name), ": offset ", pathrt_decimal(offset, wrong->offset), ": ", wrong->reason,
               "; left unchanged", NULL);
}

/* Converts the orphan to an image and sets orphan->adds.  If the orphan cannot be read, prints a message and returns
 * false.  */
static bool convert(struct orphan *orphan, int folder) {
  struct pathprof_error wrong;
  struct pathprof_image image;
  if (is_unfinished(orphan) || pathprof_raw_is_settled(orphan->bytes.data, orphan->bytes.size, folder))
    return true;
  if (!pathprof_raw_convert(orphan->bytes.data, orphan->bytes.size, &orphan->image, &wrong) ||
      !pathprof_image_open(&image, orphan->image.data, orphan->image.size, &wrong)) {
    complain(orphan, &wrong);
    return false;
  }
  orphan->adds = !is_empty(&image);
  return true;
}

/* ---- adding the orphans of a process ---- */

/* Records in the orphans which file is about to become the profile.  If this process is killed after it renames the
 * file but before it removes the orphans, the next process can detect that the profile already contains the orphans'
 * counts.  */
static void note_pending(const char *name, uint64_t inode) {
  char padded[PATHPROF_RAW_NAME_SIZE] = "";
  if (pathprof_text_size(name) >= sizeof padded)
    return;
  pathprof_text_copy(padded, name, sizeof padded);
  for (const struct orphan *orphan = first_orphan(); orphan < end_of_orphans(); orphan++) {
    if (!orphan->adds)
      continue;
    bool ok = pathprof_sys_pwrite(orphan->writable_fd, padded, sizeof padded,
                                  offsetof(struct pathprof_raw_header, pending_name)) == sizeof padded;
    if (ok)
      ok = pathprof_sys_pwrite(orphan->writable_fd, &inode, sizeof inode,
                               offsetof(struct pathprof_raw_header, pending)) == sizeof inode;
    (void)ok;
  }
}

/* Appends to an orphan the counts that are about to be added to the profile.  If the process that created the orphan is
 * still alive after all, it subtracts these counts from its own counts.  */
static void note_adopted(const struct orphan *orphan) {
  const struct pathprof_buffer *image = &orphan->image;
  uint64_t at[2] = {image->size, orphan->bytes.size};
  bool ok = pathprof_sys_pwrite(orphan->writable_fd, image->data, image->size, (off_t)orphan->bytes.size) ==
            (ssize_t)image->size;
  if (ok)
    ok = pathprof_sys_pwrite(orphan->writable_fd, at, sizeof at, offsetof(struct pathprof_raw_header, adopted_size)) ==
         (ssize_t)sizeof at;
  (void)ok; /* if the disk is full, the counts are added to the profile anyway */
}

static void report_adopted(const struct orphan *orphan) {
  if (pathrt_registry.verbose)
    pathrt_note(pathrt_shown(&orphan->name), ": left by a process that did not end normally; added to ",
                pathrt_shown(profile), NULL);
}

/* Computes the sum of the orphans that must be added.  The caller must free `*sum`, which is empty if there are no such
 * orphans.  On failure, prints a message and returns false.  */
static bool add_up(struct pathprof_buffer *sum) {
  for (const struct orphan *orphan = first_orphan(); orphan < end_of_orphans(); orphan++) {
    struct pathprof_error wrong = {"not enough memory", 0};
    struct pathprof_buffer more = {0};
    if (!orphan->adds)
      continue;
    if (!sum->size)
      pathprof_put_bytes(sum, orphan->image.data, orphan->image.size);
    else if (pathrt_join(sum, &orphan->image, &more, &wrong)) {
      pathprof_buffer_free(sum);
      *sum = more;
    } else
      sum->failed = true;
    if (sum->failed) {
      complain(orphan, &wrong);
      return false;
    }
  }
  return true;
}

/* Adds the orphans to the profile as one run.  Returns true if the orphans can be removed.  */
static bool add_to_profile(void) {
  struct pathprof_buffer sum = {0};
  bool ok = add_up(&sum);
  if (ok && sum.size) {
    for (const struct orphan *orphan = first_orphan(); orphan < end_of_orphans(); orphan++)
      if (orphan->adds)
        note_adopted(orphan);
    ok = pathrt_file_add_orphan(profile, &sum, note_pending) != PATHRT_NOT_ADDED;
    if (!ok)
      note_pending("", 0);
  }
  pathprof_buffer_free(&sum);
  for (const struct orphan *orphan = first_orphan(); ok && orphan < end_of_orphans(); orphan++)
    if (orphan->adds)
      report_adopted(orphan);
  return ok;
}

static void name_raw(struct pathrt_name *raw, const char *name) {
  pathrt_name_extend(raw, profile, name + pathprof_text_size(pathrt_base_name(profile->text)));
}

static enum pathprof_life life_of(int fd, const struct pathrt_name *raw) {
  enum pathprof_life life = fd >= 0 ? pathprof_raw_life(fd) : PATHPROF_ALIVE;
  return life == PATHPROF_DEAD && !pathrt_is_named(fd, raw->text) ? PATHPROF_ALIVE : life;
}

/* Opens and converts a raw file, and appends it to the orphans.  Returns false if the raw file cannot be read, or if
 * this user is not permitted to change and remove it.  In the latter case, its counts would be added again in each
 * run.  */
static bool open_orphan(int folder, const char *name) {
  struct orphan *orphan = (void *)pathprof_reserve(&orphans, sizeof *orphan);
  if (!orphan)
    return false;
  memset(orphan, 0, sizeof *orphan);
  name_raw(&orphan->name, name);
  orphan->fd = pathrt_open(orphan->name.text, O_RDONLY, 0);
  bool is_dead = life_of(orphan->fd, &orphan->name) == PATHPROF_DEAD;
  orphan->writable_fd = is_dead ? pathrt_open(orphan->name.text, O_WRONLY, 0) : -1;
  orphans.size += sizeof *orphan;
  return orphan->writable_fd >= 0 && pathprof_sys_is_writable(folder) &&
         pathrt_read_profile(orphan->fd, &orphan->bytes) && convert(orphan, folder);
}

static void close_last_orphan(void) {
  struct orphan *orphan = end_of_orphans() - 1;
  pathprof_buffer_free(&orphan->bytes);
  pathprof_buffer_free(&orphan->image);
  if (orphan->writable_fd >= 0)
    pathprof_sys_close(orphan->writable_fd);
  if (orphan->fd >= 0)
    pathprof_sys_close(orphan->fd);
  orphans.size -= sizeof *orphan;
}

/* Returns true if the last orphan and another orphan contain different builds of a module, because the process has
 * executed another program.  */
static bool is_last_of_other_build(void) {
  const struct orphan *last = end_of_orphans() - 1;
  struct pathprof_image one, other;
  struct pathprof_module module;
  struct pathprof_error wrong;
  for (const struct orphan *orphan = first_orphan(); orphan < last && last->adds; orphan++)
    if (orphan->adds && pathprof_image_open(&one, orphan->image.data, orphan->image.size, &wrong) &&
        pathprof_image_open(&other, last->image.data, last->image.size, &wrong) &&
        pathrt_is_other_build(&one, &other, &module))
      return true;
  return false;
}

/* ---- finding orphans ---- */

static void visit(int folder, const char *name, const struct pathrt_name *file) {
  struct pathrt_name *raw = &pathrt_space.scratch.orphan;
  (void)folder;
  if (!pathprof_is_raw_name(name, pathrt_base_name(file->text)))
    return;
  name_raw(raw, name);
  int fd = raw->too_long ? -1 : pathrt_open(raw->text, O_RDONLY, 0);
  enum pathprof_life life = life_of(fd, raw);
  struct dead_file *dead = life == PATHPROF_DEAD ? (void *)pathprof_reserve(&dead_files, sizeof *dead) : NULL;
  if (dead) {
    memset(dead, 0, sizeof *dead);
    pathprof_text_copy(dead->name, name, sizeof dead->name);
    pathprof_raw_owner(fd, &dead->owner);
    dead_files.size += sizeof *dead;
  } else if (life == PATHPROF_UNKNOWN && pathrt_registry.verbose)
    pathrt_note(pathrt_shown(raw),
                ": its process may still be running in another container or on another machine; "
                "left unchanged",
                NULL);
  if (fd >= 0)
    pathprof_sys_close(fd);
}

static bool is_of_same_process(const struct dead_file *a, const struct dead_file *b) {
  return a == b || (a->owner.pid && memcmp(&a->owner, &b->owner, sizeof a->owner) == 0);
}

/* Adds the raw files of the process that owns `first`, and removes them.  A process has one raw file per module.  If
 * one of them cannot be added, none is added, so that the profile contains all counts of a run or none of them.  Raw
 * files from another build are left for a later call.  */
static void adopt_process(int folder, struct dead_file *first, const struct dead_file *end) {
  bool ok = true;
  for (struct dead_file *dead = first; dead < end; dead++) {
    if (!*dead->name || !is_of_same_process(first, dead))
      continue;
    bool is_open = open_orphan(folder, dead->name);
    if (is_open && is_last_of_other_build()) {
      close_last_orphan();
      continue;
    }
    ok &= is_open;
    if (dead != first)
      *dead->name = '\0';
  }
  bool is_added = ok && add_to_profile();
  while (orphans.size) {
    if (is_added)
      pathprof_sys_unlink((end_of_orphans() - 1)->name.text);
    close_last_orphan();
  }
}

void pathrt_adopt_orphans(const struct pathrt_name *file) {
  profile = file;
  pathrt_visit_folder(file, visit);
  struct dead_file *first = (void *)dead_files.data, *end = first + dead_files.size / sizeof *first;
  int folder = first < end ? pathrt_open_folder(file) : -1;
  for (struct dead_file *dead = first; dead < end && folder >= 0; dead++)
    if (*dead->name)
      adopt_process(folder, dead, end);
  if (folder >= 0)
    pathprof_sys_close(folder);
  pathprof_buffer_free(&dead_files);
  pathprof_buffer_free(&orphans);
}
