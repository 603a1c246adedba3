/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Recordings for `pathdump record -p` (profile/format/recording.h).  A recording switches profiling on for a limited
 * time, regardless of other settings, and passes the counts from that time to the tool.
 *
 * The program's own profile also includes the recorded counts.  Callers of these functions must have entered the
 * registry (libpathrt/process/entry.h).  */
#ifndef PATHRT_RECORDING_H
#define PATHRT_RECORDING_H

#include "libpathrt/process/registry.h"

/* pathrt_recording_announce tells tools that this process accepts requests sent with `signal`;
 * pathrt_recording_withdraw revokes this announcement.  */
void pathrt_recording_announce(int signal);
void pathrt_recording_withdraw(void);

/* Executes the request encoded in `value`.  */
void pathrt_recording_request(uint32_t value);

/* Ends the current recording, if any.  If `state` is PATHPROF_RECORDING_DONE, passes the profile to the tool.  */
void pathrt_recording_end(enum pathprof_recording_state state);
/* Saves the recorded counts of a module that is about to be unloaded.  */
void pathrt_recording_end_module(struct pathrt_module *module);
/* In the child of a fork, discards a recording inherited from the parent.  */
void pathrt_recording_after_fork(void);

#endif
