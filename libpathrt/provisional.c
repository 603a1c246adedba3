/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Counts the paths of open activations before an exec, and withdraws these counts if the exec fails.  */
#include "libpathrt/provisional.h"

#include <string.h>

#include "libpathrt/file/add.h"
#include "libpathrt/snapshot/collect.h"
#include "libpathrt/snapshot/written.h"
#include "libpathrt/process/message.h"
#include "libpathrt/storage/frames.h"
#include "libpathrt/storage/table.h"

static bool are_written;                 /* the file contains the provisional counts */
static struct pathprof_buffer withdrawn; /* counts to subtract from the file; empty if there are none */

static void count(struct pathprof_table *prefixes, uint64_t id) {
  uint64_t *counter = pathrt_table_counter(prefixes, id);
  if (counter)
    pathrt_count_provisionally(counter);
}

/* First subtracts older provisional counts from the counters, which still include them if the last write failed.  */
void pathrt_count_open_paths(const struct pathrt_identity *module) {
  pathrt_withdraw_provisional(module);
  pathrt_subtract_provisional();
  pathrt_each_cut_path(count);
}

/* Adds the counts in `image` to the withdrawn counts.  If there are no withdrawn counts yet, takes over the memory of
 * `image`.  Returns false if memory is exhausted.  */
static bool withdraw(struct pathprof_buffer *image) {
  struct pathprof_error error;
  struct pathprof_buffer sum = {0};
  bool is_first = !withdrawn.size;
  if (!is_first && !pathrt_join(&withdrawn, image, &sum, &error))
    return false;
  pathprof_buffer_free(&withdrawn);
  withdrawn = is_first ? *image : sum;
  if (is_first)
    memset(image, 0, sizeof *image);
  return true;
}

void pathrt_withdraw_provisional(const struct pathrt_identity *module) {
  struct pathrt_run no_run = {module, 0, 0, 0, 0, 0, {pathrt_space.test, 0, 0, 0, 0}};
  struct pathrt_collection collection;
  if (!are_written)
    return;
  if (!pathrt_collect_provisional(&collection, &no_run) || !withdraw(&collection.image))
    pathrt_error("not enough memory to correct the counts of open activations after a failed exec", NULL);
  pathrt_collection_free(&collection);
  pathrt_forget_provisional(false);
  are_written = false;
}

const struct pathprof_buffer *pathrt_withdrawn(void) {
  return withdrawn.size ? &withdrawn : NULL;
}

void pathrt_commit_provisional(bool written) {
  if (written) {
    pathprof_buffer_free(&withdrawn);
    are_written = pathrt_has_provisional();
  } else if (!are_written)
    pathrt_subtract_provisional();
}

void pathrt_discard_provisional(bool forked) {
  if (forked) {
    memset(&withdrawn, 0, sizeof withdrawn);
    are_written = false;
  }
  if (!are_written)
    pathrt_forget_provisional(forked);
}
