// SPDX-License-Identifier: GPL-3.0-or-later
// Raises inlining limits for functions with measured counts (rebuild=inline).
#ifndef PATHPROF_PLUGIN_REBUILD_INLINE_LIMITS_H
#define PATHPROF_PLUGIN_REBUILD_INLINE_LIMITS_H

#include <vector>

struct cgraph_node;

namespace pathprof {

// Raises the inlining limits of these functions from their -O2 values to their -O3 values. Limits that the user has set
// are not changed. The -O2 limits are low because GCC usually does not know which calls are hot. With a profile, GCC
// allows only hot calls to increase the size of a program (want_inline_small_function_p in ipa-inline.cc). Call this
// function while no function is being compiled, and before GCC makes its inlining decisions.
void raise_inline_limits(const std::vector<cgraph_node *> &callers);

} // namespace pathprof

#endif
