// SPDX-License-Identifier: GPL-3.0-or-later
// Inlines the allocation and release of an activation's frame (termination=exact).
#ifndef PATHPROF_PLUGIN_EMIT_FRAME_ALLOCATION_H
#define PATHPROF_PLUGIN_EMIT_FRAME_ALLOCATION_H

#include <cstddef>
#include <set>

#include "plugin/gcc/gcc.h"

namespace pathprof {

// Returns the lvalue frame->field. `frame` is a variable of `cfun` that points to a struct pathprof_frame.
tree frame_field(tree frame, size_t offset);

// Inlines the allocation and release of frames in `cfun`, which must be in SSA form. The runtime is called only if the
// next slot on the thread's frame stack is in use. Calls in cold blocks, calls in functions that are optimised for
// size, and the calls in the set `seldom` are not changed. SSA form is updated and dominance information is freed.
// Returns true if the function changed.
bool inline_frame_allocation(const std::set<gimple *> &seldom);

} // namespace pathprof

#endif
