// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps symmetric transfers of C++ coroutines intact. A coroutine resumes another coroutine by a call that must be a
// jump; otherwise, the stack grows with each transfer. The front end marks these calls, and GCC drops the marks from
// all copies of a function.
#ifndef PATHPROF_PLUGIN_ENTRY_COROUTINES_H
#define PATHPROF_PLUGIN_ENTRY_COROUTINES_H

namespace pathprof {

// Disables partial inlining of coroutine bodies before stage=early. Partial inlining would move the marked calls into
// new functions, where the marks would be lost.
void register_coroutine_passes(const char *plugin_name);

} // namespace pathprof

#endif
