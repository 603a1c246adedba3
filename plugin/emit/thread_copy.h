// SPDX-License-Identifier: GPL-3.0-or-later
// Inlines the lookup of the running thread's copy of the counters (update=thread).
#ifndef PATHPROF_PLUGIN_EMIT_THREAD_COPY_H
#define PATHPROF_PLUGIN_EMIT_THREAD_COPY_H

namespace pathprof {

// Changes `cfun`, which must be in SSA form, to read the offset of the thread's copy from a thread-local variable. The
// runtime is called only if the thread has no copy yet. Calls in cold blocks and in functions that are optimised for
// size are not changed. SSA form is updated and dominance information is freed. Returns true if the function changed.
bool read_thread_variable_first();

} // namespace pathprof

#endif
