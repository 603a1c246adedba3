/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Recordings for `pathdump record -p` (profile/format/recording.h).  A recording switches profiling on for a limited
 * time, whatever the other settings, and passes the counts of that time to the tool.
 *
 * The program's own profile includes these counts, too.  The caller of these functions must have entered the
 * registry.  */
#ifndef PATHRT_RECORDING_H
#define PATHRT_RECORDING_H

#include "libpathrt/process/registry.h"

/* Announce to tools that this process accepts requests by `signal`, and withdraw the announcement.  */
void pathrt_recording_announce(int signal);
void pathrt_recording_withdraw(void);

/* Executes the request that is encoded in `value`.  */
void pathrt_recording_request(uint32_t value);

/* Ends the current recording, if any.  With PATHPROF_RECORDING_DONE, the tool receives the profile.  */
void pathrt_recording_end(enum pathprof_recording_state state);
/* Saves the recorded counts of a module that is about to be unloaded.  */
void pathrt_recording_end_module(struct pathrt_module *module);
/* Discards a recording that the child of a fork inherited from its parent.  */
void pathrt_recording_after_fork(void);

#endif
