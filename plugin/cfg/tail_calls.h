// SPDX-License-Identifier: GPL-3.0-or-later
// Handles calls in tail position, which only the return of their value follows.
#ifndef PATHPROF_PLUGIN_CFG_TAIL_CALLS_H
#define PATHPROF_PLUGIN_CFG_TAIL_CALLS_H

namespace pathprof {

// Adds a return to the block of each call of `cfun` in tail position if the call shares its return with other blocks,
// and GCC would turn the call into a jump (-foptimize-sibling-calls) or must do so (musttail). The function must be
// called before the graph is read. With `only_jumps`, only calls that GCC itself has marked as tail calls are changed;
// use this after the optimisations. GCC does not turn some other calls into jumps, such as a memcpy that is expanded
// inline or a call with more stack arguments than its caller. A call that does not become a jump falls through to the
// shared return, where its path would be counted again.
void give_tail_calls_their_return(bool only_jumps);

// Marks tail calls in `cfun`: calls that are followed only by a return in the same block. tail_call_of in
// plugin/gcc/statements.h returns the marked calls. A path ends at a marked call, and code for the end of the path is
// inserted before the call. If `all` is false, only calls that the source or GCC declares as tail calls are marked. The
// marks are valid only until the end of the current pass.
void mark_tail_calls(bool all);

// Removes all tail-call marks from `cfun`.
void forget_tail_calls();

} // namespace pathprof

#endif
