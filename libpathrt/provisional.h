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
/* The image of all that is to be subtracted from the file; null: nothing.  Valid until it is settled.  */
const struct pathprof_buffer *pathrt_withdrawn(void);
/* The provisional counts are in the file now, and what was withdrawn is not; or the file has not changed.  */
void pathrt_settle_provisional(bool written);
/* Counters were set to zero; what is in the file stays provisional.  `forked`: in a child, whose parent has to withdraw
 * what it wrote.  */
void pathrt_discard_provisional(bool forked);

#endif
