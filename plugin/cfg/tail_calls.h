// SPDX-License-Identifier: GPL-3.0-or-later
// Calls in tail position: nothing follows them but the return of their value.
#ifndef PATHPROF_PLUGIN_CFG_TAIL_CALLS_H
#define PATHPROF_PLUGIN_CFG_TAIL_CALLS_H

namespace pathprof {

// Gives calls of `cfun` that are followed by nothing but a return which other blocks share a return of their own, in
// their block, where GCC would turn them into jumps (-foptimize-sibling-calls) or must (musttail).  Before the graph
// is read.  `only_jumps`: those that GCC has chosen, after the optimisations: not all of them become jumps, as memcpy in
// a few instructions does not, nor a call with more arguments on the stack than the function has, and what is counted at
// a return that others share would be counted again behind these.
void give_tail_calls_their_return(bool only_jumps);

// Marks the calls of `cfun` in whose blocks nothing follows but the return, for tail_call_of in
// plugin/gcc/statements.h: the path ends at the call, and what would follow comes before it.  `all`: also those that
// nobody has said to be jumps. The marks hold for one pass; calls that are not marked by this hold none.
void mark_tail_calls(bool all);

// Marks none.
void forget_tail_calls();

} // namespace pathprof

#endif
