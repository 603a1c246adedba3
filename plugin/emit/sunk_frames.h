// SPDX-License-Identifier: GPL-3.0-or-later
// Frames (exact termination) for calls that never come back, as those of assertions that failed are where they were
// inlined: taken in front of such a call.
#ifndef PATHPROF_PLUGIN_EMIT_SUNK_FRAMES_H
#define PATHPROF_PLUGIN_EMIT_SUNK_FRAMES_H

namespace pathprof {

// In `cfun`, in SSA form and before places are taken inline: frames of which all calls at which a path may be cut short
// are in blocks that control does not leave are taken there, and nowhere else.  Leaves SSA form up to date.  Whether it
// changed anything.
bool sink_frames();

} // namespace pathprof

#endif
