// SPDX-License-Identifier: GPL-3.0-or-later
// Limits of inlining into functions whose counts are known (rebuild=inline).
#ifndef PATHPROF_PLUGIN_REBUILD_INLINE_LIMITS_H
#define PATHPROF_PLUGIN_REBUILD_INLINE_LIMITS_H

#include <vector>

struct cgraph_node;

namespace pathprof {

// Lets GCC inline into these functions by the limits of -O3, where it would by those of -O2 and the user has not set
// them.  At -O2 they are low because GCC does not know which calls are made often.  Here it does: it lets a program
// grow for hot calls only (want_inline_small_function_p in ipa-inline.cc).  To be called between two functions, before
// GCC decides what to inline.
void raise_inline_limits(const std::vector<cgraph_node *> &callers);

} // namespace pathprof

#endif
