/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Provisional counts.  Before a call that ends the process unless it fails (exec, daemon), the paths of the open
 * activations are counted as cut short there and written.  If the process goes on after all, these paths are not over:
 * the next write subtracts the counts from the file again.
 *
 * This is about the counts of this module.  Needs the registry entered (libpathrt/process/entry.h).  */
#ifndef PATHRT_PROVISIONAL_H
#define PATHRT_PROVISIONAL_H

#include <stdbool.h>

#include "libpathrt/process/registry.h"

/* Counts the paths of all open activations provisionally.  Without memory a path is not counted.  */
void pathrt_count_open_paths(const struct pathrt_identity *module);
/* Comes before counts are taken for a file, or for a test that ends: provisional counts that are in the file are to be
 * subtracted from it, and from the test that is under way.  Without memory, after a message, they stay there.  */
void pathrt_withdraw_provisional(const struct pathrt_identity *module);
/* Returns the image of the counts to subtract from the file, or null if there are none.  Valid until the next call of
 * pathrt_commit_provisional.  */
const struct pathprof_buffer *pathrt_withdrawn(void);
/* Ends a write.  `written`: the file has the provisional counts, and no longer the withdrawn ones; else it is
 * unchanged.  */
void pathrt_commit_provisional(bool written);
/* Forgets provisional counts that are not in the file, because all counters were set to zero.  `forked`: in a child,
 * forgets those in the file, too: the parent withdraws them.  */
void pathrt_discard_provisional(bool forked);

#endif
