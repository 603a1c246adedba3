// SPDX-License-Identifier: GPL-3.0-or-later
// The pass that puts what calls of the runtime mostly come to in their place: finding the running thread's copy of the
// counters, and taking places for frames.
#ifndef PATHPROF_PLUGIN_ENTRY_INLINE_CALLS_H
#define PATHPROF_PLUGIN_ENTRY_INLINE_CALLS_H

class opt_pass;

namespace pathprof {

opt_pass *make_inline_calls_pass();

bool is_inline_calls_pass(const opt_pass *pass);

} // namespace pathprof

#endif
