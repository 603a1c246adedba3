/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Keeps the counts of finished tests.  Images are combined like the digits of a binary counter: an image at one level
 * is the sum of two images from the level below.  For n tests, a count is therefore copied only O(log n) times, and
 * there are only O(log n) images.  */
#include "libpathrt/keep.h"

#include <string.h>

#include "libpathrt/file/add.h"

enum { NUM_LEVELS = 48 };

static struct pathprof_buffer kept[NUM_LEVELS]; /* empty if there is no image at the level */

/* Adds two images.  `sum` must be empty initially, and stays empty if the addition fails.  */
static bool add(const struct pathprof_buffer *a, const struct pathprof_buffer *b, struct pathprof_buffer *sum) {
  struct pathprof_error error;
  return pathrt_join(a, b, sum, &error);
}

bool pathrt_has_kept(void) {
  for (int level = 0; level < NUM_LEVELS; level++)
    if (kept[level].size)
      return true;
  return false;
}

/* The kept images are not changed until all sums have been computed, so they remain valid if memory is exhausted.  */
bool pathrt_keep(struct pathprof_buffer *image) {
  struct pathprof_buffer sum = *image;
  int level = 0;
  for (; level < NUM_LEVELS - 1 && kept[level].size; level++) {
    struct pathprof_buffer more = {0};
    bool ok = add(&kept[level], &sum, &more);
    if (level)
      pathprof_buffer_free(&sum);
    if (!ok)
      return false;
    sum = more;
  }
  if (level)
    pathprof_buffer_free(image);
  for (int below = 0; below < level; below++)
    pathprof_buffer_free(&kept[below]);
  kept[level] = sum;
  memset(image, 0, sizeof *image);
  return true;
}

bool pathrt_add_kept(const struct pathprof_buffer *image, struct pathprof_buffer *sum) {
  bool is_first = true;
  for (int level = 0; level < NUM_LEVELS; level++) {
    struct pathprof_buffer more = {0};
    if (!kept[level].size)
      continue;
    bool ok = add(is_first ? image : sum, &kept[level], &more);
    pathprof_buffer_free(sum);
    *sum = more;
    is_first = false;
    if (!ok)
      return false;
  }
  return true;
}

void pathrt_forget_kept(bool forked) {
  for (int level = 0; level < NUM_LEVELS && !forked; level++)
    pathprof_buffer_free(&kept[level]);
  memset(kept, 0, sizeof kept);
}
