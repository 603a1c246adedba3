// SPDX-License-Identifier: GPL-3.0-or-later
// Recognizes calls that end or replace the program without running its exit handlers.
#ifndef PATHPROF_PLUGIN_CFG_EXITS_H
#define PATHPROF_PLUGIN_CFG_EXITS_H

struct gimple;

namespace pathprof {

// Returns true if the statement calls _exit, abort, exec or a similar function. Of these functions, only exec can
// return, and only if it fails.
bool is_sudden_end(gimple *statement);

// Returns true if the statement calls an exec function, which replaces the program unless the call fails.
bool may_execute(gimple *statement);

// Returns true if control might not continue after the statement. The statement, usually a call, might terminate the
// program, execute another program, throw an exception or jump out of the function.
bool may_not_return(gimple *statement);

} // namespace pathprof

#endif
