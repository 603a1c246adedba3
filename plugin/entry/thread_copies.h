// SPDX-License-Identifier: GPL-3.0-or-later
// The pass that makes reads of a thread-local variable of the calls that ask for the running thread's copy of the
// counters.
#ifndef PATHPROF_PLUGIN_ENTRY_THREAD_COPIES_H
#define PATHPROF_PLUGIN_ENTRY_THREAD_COPIES_H

class opt_pass;

namespace pathprof {

opt_pass *make_thread_copies_pass();

bool is_thread_copies_pass(const opt_pass *pass);

} // namespace pathprof

#endif
