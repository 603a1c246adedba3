/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Provisional counts.  Before a call that ends the process unless it fails (exec, daemon), the runtime counts the paths
 * of all open activations as truncated and writes them.  If the process continues, these paths have not ended, and the
 * next write subtracts their counts from the file.
 *
 * These functions handle the counts of one module.  The caller must have entered the registry
 * (libpathrt/process/entry.h).  */
#ifndef PATHRT_PROVISIONAL_H
#define PATHRT_PROVISIONAL_H

#include <stdbool.h>

#include "libpathrt/process/registry.h"

/* Counts the paths of all open activations provisionally.  Skips a path if memory is exhausted.  */
void pathrt_count_open_paths(const struct pathrt_identity *module);
/* Moves the provisional counts that are in the file to the counts to be subtracted from the file and from the active
 * test.  Must be called before a snapshot is taken.  If memory is exhausted, prints a message and leaves them in the
 * file.  */
void pathrt_withdraw_provisional(const struct pathrt_identity *module);
/* Returns the image of the counts to subtract from the file, or null if there are none.  Valid until the next call of
 * pathrt_commit_provisional.  */
const struct pathprof_buffer *pathrt_withdrawn(void);
/* Finishes a write.  `written` means that the file now contains the provisional counts and no longer contains the
 * withdrawn counts; otherwise the file is unchanged.  */
void pathrt_commit_provisional(bool written);
/* Discards the provisional counts that are not in the file, because all counters were reset.  With `forked`, also
 * discards those in the file, which the parent withdraws.  */
void pathrt_discard_provisional(bool forked);

#endif
