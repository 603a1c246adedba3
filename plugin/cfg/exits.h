// SPDX-License-Identifier: GPL-3.0-or-later
// Recognizes calls that end or replace the program without running its exit handlers.
#ifndef PATHPROF_PLUGIN_CFG_EXITS_H
#define PATHPROF_PLUGIN_CFG_EXITS_H

struct gimple;

namespace pathprof {

// Returns true if the statement calls _exit, abort, exec or a similar function. Only exec can return, namely if it
// fails.
bool is_sudden_end(gimple *statement);

// Returns true if the call may replace the program with another program. An exec call returns if it fails.
bool may_execute(gimple *statement);

// Returns true if control may end at the statement, which is usually a call. The statement may end the program, execute
// another program, throw an exception or jump out of the function.
bool may_not_return(gimple *statement);

} // namespace pathprof

#endif
