// SPDX-License-Identifier: GPL-3.0-or-later
// Frames (exact termination) that nobody looks at: a function that was inlined has one for calls that may be gone
// since.
#ifndef PATHPROF_PLUGIN_EMIT_DEAD_FRAMES_H
#define PATHPROF_PLUGIN_EMIT_DEAD_FRAMES_H

namespace pathprof {

// Takes from `cfun`, in SSA form and before places are taken inline, the frames that are given back before anything
// happens at which a path may be cut short.  Leaves SSA form up to date.  Whether it changed anything.
bool remove_dead_frames();

} // namespace pathprof

#endif
