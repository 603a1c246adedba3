// SPDX-License-Identifier: GPL-3.0-or-later
// Removes frames (termination=exact) that are never read. After inlining, the calls for which an inlined function
// needed its frame may no longer exist.
#ifndef PATHPROF_PLUGIN_EMIT_DEAD_FRAMES_H
#define PATHPROF_PLUGIN_EMIT_DEAD_FRAMES_H

namespace pathprof {

// Removes frames from `cfun` if no path can be truncated between their allocation and release. `cfun` must be in SSA
// form, and frame allocation must not have been inlined yet. SSA form is updated. Returns true if the function changed.
bool remove_dead_frames();

} // namespace pathprof

#endif
