// SPDX-License-Identifier: GPL-3.0-or-later
// Sinks frames (termination=exact) to rarely executed calls, such as calls after a failed assertion.
#ifndef PATHPROF_PLUGIN_EMIT_SUNK_FRAMES_H
#define PATHPROF_PLUGIN_EMIT_SUNK_FRAMES_H

#include <set>

struct gimple;

namespace pathprof {

// Moves the allocation of a frame to the calls at which a path may be truncated, if this reduces the cost because the
// calls are rarely executed. `cfun` must be in SSA form, and frame allocation must not have been inlined yet. SSA form
// is updated. Returns true if the function changed. In this case, `*calls` contains the calls in rarely executed blocks
// that allocate or release frames.
bool sink_frames(std::set<gimple *> *calls);

} // namespace pathprof

#endif
