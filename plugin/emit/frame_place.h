// SPDX-License-Identifier: GPL-3.0-or-later
// Taking a place for an activation's frame (exact termination) and giving it back without calls.
#ifndef PATHPROF_PLUGIN_EMIT_FRAME_PLACE_H
#define PATHPROF_PLUGIN_EMIT_FRAME_PLACE_H

#include <cstddef>
#include <set>

#include "plugin/gcc/gcc.h"

namespace pathprof {

// frame->field, of the struct pathprof_frame that a variable of `cfun` has the address of.
tree frame_field(tree frame, size_t offset);

// Lets `cfun`, in SSA form, take and give back places itself, and call the runtime only where the top of the thread's
// stack has no free one.  Calls that hardly ever run, those in functions that GCC optimises for size, and `seldom` ones
// stay as they are.  Leaves SSA form up to date, but no dominance information.  Whether it changed anything.
bool take_places_inline(const std::set<gimple *> &seldom);

} // namespace pathprof

#endif
