// SPDX-License-Identifier: GPL-3.0-or-later
// Frames (exact termination) for calls that are seldom made, as those of assertions that failed: taken for such a call.
#ifndef PATHPROF_PLUGIN_EMIT_SUNK_FRAMES_H
#define PATHPROF_PLUGIN_EMIT_SUNK_FRAMES_H

#include <set>

struct gimple;

namespace pathprof {

// In `cfun`, in SSA form and before places are taken inline: frames of which the calls at which a path may be cut short
// are made less often than the frames are taken are taken for these calls alone.  Leaves SSA form up to date.  Whether
// it changed anything; `calls` has what takes them and gives them back then.
bool sink_frames(std::set<gimple *> *calls);

} // namespace pathprof

#endif
