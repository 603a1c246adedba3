/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Provisional counts.  Before a call that ends the process unless it fails (exec, daemon), the runtime counts the paths
 * of all open activations as truncated and writes the counts to the file.  If the call fails, these paths have not
 * ended, so the next write subtracts their counts from the file.
 *
 * These functions handle the counts of one module.  The caller must have entered the registry
 * (libpathrt/process/entry.h).  */
#ifndef PATHRT_PROVISIONAL_H
#define PATHRT_PROVISIONAL_H

#include <stdbool.h>

#include "libpathrt/process/registry.h"

/* Adds a provisional count for the path of each open activation.  Skips a path if memory for its count is
 * exhausted.  */
void pathrt_count_open_paths(const struct pathrt_identity *module);
/* Arranges for the next write to subtract the provisional counts from the file and from the counts of the active test.
 * Must be called before a snapshot is taken.  If memory is exhausted, prints a message and leaves the counts in the
 * file.  */
void pathrt_withdraw_provisional(const struct pathrt_identity *module);
/* Returns a profile image with the counts to subtract from the file, or null if there are none.  The pointer is valid
 * until the next call to pathrt_commit_provisional.  */
const struct pathprof_buffer *pathrt_withdrawn(void);
/* Called after each attempt to write the file.  If `written` is true, the file now contains the provisional counts and
 * no longer contains the withdrawn counts.  If it is false, the file is unchanged.  */
void pathrt_commit_provisional(bool written);
/* Called after all counters have been reset.  Discards the provisional counts that have not been written to the file.
 * If `forked` is true, also discards the record of the provisional counts in the file, because the parent process will
 * withdraw these counts.  */
void pathrt_discard_provisional(bool forked);

#endif
