// SPDX-License-Identifier: GPL-3.0-or-later
// Finding the running thread's copy of the counters (update=thread) without a call.
#ifndef PATHPROF_PLUGIN_EMIT_THREAD_COPY_H
#define PATHPROF_PLUGIN_EMIT_THREAD_COPY_H

namespace pathprof {

// Lets `cfun`, in SSA form, read the thread-local variable with the distance to the copy, and call the runtime only
// where the thread has none yet.  Calls that hardly ever run, and those in functions that GCC optimises for size, stay
// as they are.  Leaves SSA form up to date, but no dominance information.  Whether it changed anything.
bool read_thread_variable_first();

} // namespace pathprof

#endif
