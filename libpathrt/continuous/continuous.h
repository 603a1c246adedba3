/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* PATHPROF_MODE=continuous: this module's counters and hash slots are memory mapped from
 * FILE.PID.raw (profile/format/raw.h), so that they outlive the process however it ends.
 *
 * All space is reserved before it is mapped, so that a full disk cannot kill the program.  Where
 * there is none, counts are in plain memory, as in the other mode.  */
#ifndef PATHRT_CONTINUOUS_H
#define PATHRT_CONTINUOUS_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/continuous/create.h"
#include "libpathrt/process/registry.h"

/* Whether the counters are in a file.  */
bool pathrt_is_continuous(void);

/* In the child of a fork: leaves the file to the parent, and starts one of its own at zero.  What
 * was mapped keeps its place.  */
void pathrt_continuous_after_fork(struct pathrt_module *module);

/* Before the process restricts its system calls: from here on everything is counted in the file, with what room can be
 * reserved now; until here all was written.  `paused`: what is counted goes nowhere.  False after a message.  Needs the
 * registry entered.  */
bool pathrt_continuous_restrict(struct pathrt_module *module, bool paused);
/* The file's name, for messages.  */
const char *pathrt_continuous_file(void);

/* What is counted between the two goes nowhere.  */
bool pathrt_continuous_pause(void);
void pathrt_continuous_resume(void);

/* Called with the counts of the file's process before they are written.  If another process has added the file to a
 * profile, because it took this process for dead, subtracts from the image what that process added.  Returns false
 * after a message if that fails.  */
bool pathrt_continuous_subtract_adopted(struct pathprof_buffer *image);
/* The file of that name and inode, which holds the counts, is about to become the profile.  */
void pathrt_continuous_pending(const char *name, uint64_t inode);
/* The profile has been replaced (`written`), and what was written is no longer in the counters; or neither has
 * happened.  */
void pathrt_continuous_settled(bool written);
/* The profile knows of this run.  */
void pathrt_continuous_run_recorded(void);
/* Another test is under way than before, whose run this module's file tells of if it tells of the process's.  */
void pathrt_continuous_note_test(const struct pathrt_module *module);
/* Counts are about to be forgotten.  */
void pathrt_continuous_note_reset(const struct pathrt_module *module);

/* All counts are written: removes the file's name.  Counting may go on.  */
void pathrt_continuous_end(void);
/* Unmaps all, as the module is unloaded.  */
void pathrt_continuous_release(void);

#endif
