// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that end a process, or the program in it, without its exit handlers.
#ifndef PATHPROF_PLUGIN_CFG_EXITS_H
#define PATHPROF_PLUGIN_CFG_EXITS_H

struct gimple;

namespace pathprof {

// Whether the statement is a call of _exit, abort, exec and the like, of which exec returns if it fails.
bool is_sudden_end(gimple *statement);

// Whether a call may put another program in the place of this one, and returns if it fails.
bool may_execute(gimple *statement);

// Whether control may not pass the statement, most often a call: it may end the program, exceptions and jumps may leave
// it, or it may execute another program.
bool may_not_return(gimple *statement);

} // namespace pathprof

#endif
