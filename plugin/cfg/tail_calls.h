// SPDX-License-Identifier: GPL-3.0-or-later
// Calls in tail position: nothing follows them but the return of their value.
#ifndef PATHPROF_PLUGIN_CFG_TAIL_CALLS_H
#define PATHPROF_PLUGIN_CFG_TAIL_CALLS_H

namespace pathprof {

// Gives each call of `cfun` a return of its own, in the block of the call, if only the return of its value follows, other
// blocks share this return, and GCC would turn the call into a jump (-foptimize-sibling-calls) or must do so (musttail).
// Call this before the graph is read.  With `only_jumps`, only calls that GCC has chosen are changed, for use after the
// optimisations.  Other calls do not become jumps, such as a memcpy that becomes a few instructions, or a call with more
// arguments on the stack than its caller has: a count at the shared return would count their paths again.
void give_tail_calls_their_return(bool only_jumps);

// Marks the calls of `cfun` in whose blocks nothing follows but the return, for tail_call_of in
// plugin/gcc/statements.h: the path ends at the call, and what would follow comes before it.  `all`: also those that
// nobody has said to be jumps. The marks hold for one pass; calls that are not marked by this hold none.
void mark_tail_calls(bool all);

// Marks none.
void forget_tail_calls();

} // namespace pathprof

#endif
