// SPDX-License-Identifier: GPL-3.0-or-later
// Raises inlining limits for functions with measured counts (rebuild=inline).
#ifndef PATHPROF_PLUGIN_REBUILD_INLINE_LIMITS_H
#define PATHPROF_PLUGIN_REBUILD_INLINE_LIMITS_H

#include <vector>

struct cgraph_node;

namespace pathprof {

// Lets GCC inline into these functions with the limits of -O3 if it would use the limits of -O2. Limits that the user
// has set are not changed. The limits of -O2 are low because GCC usually does not know which calls are hot. With a
// profile, GCC lets a program grow only for hot calls (want_inline_small_function_p in ipa-inline.cc). Call this
// between two functions, before GCC makes its inlining decisions.
void raise_inline_limits(const std::vector<cgraph_node *> &callers);

} // namespace pathprof

#endif
