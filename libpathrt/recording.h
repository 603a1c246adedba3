/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Recording for a tool, 'pathdump record -p' (profile/format/recording.h): for a while the process is switched on,
 * whatever else is said, and the tool gets what was counted meanwhile.
 *
 * The counts stay the program's: its own profile has them, as if it had been switched on otherwise.
 *
 * All functions need the registry entered.  */
#ifndef PATHRT_RECORDING_H
#define PATHRT_RECORDING_H

#include "libpathrt/process/registry.h"

/* Lets tools know that this process may be asked, by that signal; or no longer.  */
void pathrt_recording_announce(int signal);
void pathrt_recording_withdraw(void);

/* Does what a request's value asks for.  */
void pathrt_recording_request(uint32_t value);

/* Ends a recording, if there is one; with PATHPROF_RECORDING_DONE the tool gets the profile.  */
void pathrt_recording_end(enum pathprof_recording_state state);
/* Keeps for the recording what the module has counted, which is about to be closed.  */
void pathrt_recording_end_module(struct pathrt_module *module);
/* Forgets a recording that is another process's, in a child of it.  */
void pathrt_recording_after_fork(void);

#endif
