// SPDX-License-Identifier: GPL-3.0-or-later
// A C++ coroutine resumes another one by a call that must be a jump (symmetric transfer): otherwise, the stack grows with
// each transfer.  The front end marks these calls, and GCC drops the marks from all copies of a function.
#ifndef PATHPROF_PLUGIN_ENTRY_COROUTINES_H
#define PATHPROF_PLUGIN_ENTRY_COROUTINES_H

namespace pathprof {

// Switches partial inlining off for the bodies of coroutines before stage early.  It would move marked calls into new
// functions, where they have no marks.
void register_coroutine_passes(const char *plugin_name);

} // namespace pathprof

#endif
