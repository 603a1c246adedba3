// SPDX-License-Identifier: GPL-3.0-or-later
// Creates the pass that inlines the common case of calls of the runtime: finding the running thread's copy of the
// counters, and allocating frames.
#ifndef PATHPROF_PLUGIN_ENTRY_INLINE_CALLS_H
#define PATHPROF_PLUGIN_ENTRY_INLINE_CALLS_H

class opt_pass;

namespace pathprof {

opt_pass *make_inline_calls_pass();

bool is_inline_calls_pass(const opt_pass *pass);

} // namespace pathprof

#endif
