/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* PATHPROF_MODE=continuous: the counters and hash slots of a module are mapped from FILE.PID.raw
 * (profile/format/raw.h), so that the counts survive any end of the process.
 *
 * All space is reserved before it is mapped, so that a full disk cannot kill the program.  If no space can be reserved,
 * the counts stay in private memory, as with PATHPROF_MODE=exit.  */
#ifndef PATHRT_CONTINUOUS_H
#define PATHRT_CONTINUOUS_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/continuous/create.h"
#include "libpathrt/process/registry.h"

/* Returns true if the counters are mapped from a file.  */
bool pathrt_is_continuous(void);

/* Leaves the file to the parent and starts a new file with zero counts, in the child of a fork.  All addresses stay the
 * same.  */
void pathrt_continuous_after_fork(struct pathrt_module *module);

/* Moves all counters to the file and reserves space, before the process restricts its system calls.  All counts must
 * have been written.  If `paused`, further counts are discarded.  Returns false after printing a message.  The caller
 * must have entered the registry.  */
bool pathrt_continuous_restrict(struct pathrt_module *module, bool paused);
/* Returns the file's name, for messages.  */
const char *pathrt_continuous_file(void);

/* Discard all counts between pause and resume.  */
bool pathrt_continuous_pause(void);
void pathrt_continuous_resume(void);

/* Subtracts from `image` the counts that another process has added to a profile because it took this process for dead.
 * Called before the counts are written.  Returns false after printing a message.  */
bool pathrt_continuous_subtract_adopted(struct pathprof_buffer *image);
/* Records that the file with this name and inode, which contains the counts, is about to become the profile.  */
void pathrt_continuous_pending(const char *name, uint64_t inode);
/* Ends a write.  If `written`, the profile has been replaced and the counts have been subtracted from the counters;
 * otherwise the profile and the counters are unchanged.  */
void pathrt_continuous_settled(bool written);
/* Notes that the profile now includes this run.  */
void pathrt_continuous_run_recorded(void);
/* Records the active test in the file.  The file of the module that reports the run also reports the run of the
 * test.  */
void pathrt_continuous_note_test(const struct pathrt_module *module);
/* Records that counts are about to be discarded.  */
void pathrt_continuous_note_reset(const struct pathrt_module *module);

/* Removes the name of the file after all counts are written.  Counting may continue.  */
void pathrt_continuous_end(void);
/* Unmaps all areas when the module is unloaded.  */
void pathrt_continuous_release(void);

#endif
