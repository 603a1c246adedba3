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

/* Prepares for a restriction of system calls by moving all counters to the file and reserving space.  All counts must
 * have been written.  If `paused` is true, further counts are discarded.  On failure, prints a message and returns
 * false.  The caller must be inside the registry (pathrt_enter).  */
bool pathrt_continuous_restrict(struct pathrt_module *module, bool paused);
/* Returns the file's name, for messages.  */
const char *pathrt_continuous_file(void);

/* Discard everything that is counted between pause and resume.  */
bool pathrt_continuous_pause(void);
void pathrt_continuous_resume(void);

/* If another process has added the raw file to a profile because it considered this process dead, subtracts those
 * counts from `image`.  Called before the counts are written.  On failure, prints a message and returns false.  */
bool pathrt_continuous_subtract_adopted(struct pathprof_buffer *image);
/* Records that the file with this name and inode, which contains the counts, is about to become the profile.  */
void pathrt_continuous_pending(const char *name, uint64_t inode);
/* Ends a write.  If `written` is true, the profile has been replaced, and the written counts have been subtracted from
 * the counters.  If it is false, the profile and the counters are unchanged.  */
void pathrt_continuous_settled(bool written);
/* Records that the profile now includes this run.  */
void pathrt_continuous_run_recorded(void);
/* Records the active test in the raw file.  If this module's raw file reports that the process has run, it also reports
 * that the test has run.  */
void pathrt_continuous_note_test(const struct pathrt_module *module);
/* Records in the raw file that counts are about to be discarded.  */
void pathrt_continuous_note_reset(const struct pathrt_module *module);

/* Unlinks the raw file after all counts have been written.  Threads may still count paths in the unlinked file.  */
void pathrt_continuous_end(void);
/* Unmaps all areas.  Called when the module is unloaded.  */
void pathrt_continuous_release(void);

#endif
