/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Implements PATHPROF_MODE=continuous.  The counters and hash tables of a module are mapped from the file FILE.PID.raw
 * (profile/format/raw.h), so the counts are preserved no matter how the process ends.  Space in the file is reserved
 * before it is mapped, because the program would otherwise be killed if the disk were full.  If no space can be
 * reserved, the counts stay in private memory, as with PATHPROF_MODE=exit.  */
#ifndef PATHRT_CONTINUOUS_H
#define PATHRT_CONTINUOUS_H

#include <stdbool.h>
#include <stdint.h>

#include "libpathrt/continuous/create.h"
#include "libpathrt/process/registry.h"

/* Returns true if the counters are mapped from a file.  */
bool pathrt_is_continuous(void);

/* Called in the child of a fork.  Leaves the raw file to the parent, and creates a new raw file in which all counts are
 * zero.  Does not change the addresses of the counters.  */
void pathrt_continuous_after_fork(struct pathrt_module *module);

/* Called before the process restricts its system calls.  Moves all counters to a raw file, unless they are in a raw
 * file already, and reserves space in the file.  All counts must already have been written to the profile.  If `paused`
 * is true, counting is paused, so later counts are discarded.  On failure, prints a message and returns false.  The
 * caller must be inside the registry (pathrt_enter).  */
bool pathrt_continuous_restrict(struct pathrt_module *module, bool paused);
/* Returns the file's name, for messages.  */
const char *pathrt_continuous_file(void);

/* Pause and resume counting.  Everything that is counted between the two calls is discarded.  */
bool pathrt_continuous_pause(void);
void pathrt_continuous_resume(void);

/* If another process considered this process dead and added the counts in the raw file to a profile, subtracts these
 * counts from `image`.  Called before `image` is written.  On failure, prints a message and returns false.  */
bool pathrt_continuous_subtract_adopted(struct pathprof_buffer *image);
/* Records in the raw file that a temporary file, which includes the counts, is about to replace the profile.  `name`
 * and `inode` identify the temporary file.  */
void pathrt_continuous_pending(const char *name, uint64_t inode);
/* Called at the end of a write.  If `written` is true, the profile has been replaced, and the written counts have been
 * subtracted from the counters.  If it is false, the profile and the counters are unchanged.  */
void pathrt_continuous_settled(bool written);
/* Records in the raw file that the profile now includes this run.  */
void pathrt_continuous_run_recorded(void);
/* Records the active test in the raw file.  If the run of the process is recorded in this module's raw file, the run of
 * the test is recorded there, too.  */
void pathrt_continuous_note_test(const struct pathrt_module *module);
/* Records in the raw file that counts are about to be discarded.  */
void pathrt_continuous_note_reset(const struct pathrt_module *module);

/* Unlinks the raw file after all counts have been written.  Threads may still count paths in the unlinked file.  */
void pathrt_continuous_end(void);
/* Unmaps all areas of the raw file.  Called when the module is unloaded.  */
void pathrt_continuous_release(void);

#endif
