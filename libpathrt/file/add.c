/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#define _GNU_SOURCE
#include "libpathrt/file/add.h"

#include <errno.h>
#include <unistd.h>

#include "libpathrt/file/contents.h"
#include "libpathrt/file/other_build.h"
#include "libpathrt/process/decimal.h"
#include "libpathrt/process/message.h"
#include "profile/format/image.h"
#include "profile/format/merge.h"

static bool is_beside; /* FILE.PID is being written, because FILE is no readable profile */

/* FILE is no readable profile and is not ours to destroy: this run's profile goes into FILE.PID.  That file needs no
 * lock of its own, because only who holds the lock of FILE writes it.  */
static enum pathrt_added add_beside(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                    const struct pathprof_error *wrong, pathrt_pending pending) {
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
  enum pathrt_added added = pathrt_file_add(&beside, image, pending);
  is_beside = false;
  if (added == PATHRT_NOT_ADDED)
    return added;
  pathrt_error(pathrt_shown(file), ": offset ", offset, ": ", wrong->reason, "; left as it is, this run is in ",
               pathrt_shown(&beside), NULL);
  return PATHRT_ADDED_BESIDE;
}

static enum pathrt_added add_to(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                const struct pathprof_buffer *old_bytes, mode_t mode, pathrt_pending pending) {
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
    return add_beside(file, image, &wrong, pending);
  if (pathrt_is_other_build(&fresh, &older, &theirs))
    return pathrt_replace_other_build(file, image, &fresh, &older, &theirs, mode, pending) ? PATHRT_ADDED
                                                                                           : PATHRT_NOT_ADDED;
  enum pathrt_added added = PATHRT_NOT_ADDED;
  if (pathprof_merge(&older, 1, &fresh, 1, &sum, &wrong, &in_second))
    added = pathrt_replace(file, &sum, mode, pending) ? PATHRT_ADDED : PATHRT_NOT_ADDED;
  else if (sum.failed)
    pathrt_cannot(file, "cannot merge", ENOMEM);
  else
    added = add_beside(file, image, &wrong, pending);
  pathprof_buffer_free(&sum);
  return added;
}

enum pathrt_added pathrt_file_add(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                  pathrt_pending pending) {
  struct pathprof_buffer old_bytes = {0};
  mode_t mode = 0;
  enum pathrt_added added = PATHRT_NOT_ADDED;
  switch (pathrt_read_file(file, &old_bytes, &mode)) {
  case PATHRT_ABSENT:
    added = pathrt_replace(file, image, 0, pending) ? PATHRT_ADDED : PATHRT_NOT_ADDED;
    break;
  case PATHRT_UNREADABLE:
    pathrt_cannot(file, "cannot read the profile that is there", errno);
    break;
  case PATHRT_READ:
    added = add_to(file, image, &old_bytes, mode, pending);
    break;
  }
  pathprof_buffer_free(&old_bytes);
  return added;
}

/* Whether the file is a profile of another build than the orphan, whose module *module is then.  */
static bool differs(const struct pathrt_name *file, const struct pathprof_buffer *orphan,
                    struct pathprof_module *module) {
  struct pathprof_buffer bytes = {0};
  struct pathprof_image here, theirs;
  struct pathprof_error wrong;
  mode_t mode;
  bool result = pathrt_read_file(file, &bytes, &mode) == PATHRT_READ &&
                pathprof_image_open(&here, bytes.data, bytes.size, &wrong) &&
                pathprof_image_open(&theirs, orphan->data, orphan->size, &wrong) &&
                pathrt_is_other_build(&here, &theirs, module);
  pathprof_buffer_free(&bytes);
  return result;
}

enum pathrt_added pathrt_file_add_orphan(const struct pathrt_name *file, const struct pathprof_buffer *image,
                                         bool of_this_build, pathrt_pending pending) {
  struct pathprof_module module;
  if (!of_this_build && differs(file, image, &module))
    return pathrt_keep_orphan(file, image, &module, pending) ? PATHRT_ADDED_BESIDE : PATHRT_NOT_ADDED;
  return pathrt_file_add(file, image, pending);
}
