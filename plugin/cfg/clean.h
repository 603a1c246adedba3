// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that were changed, as the passes that follow expect them.
#ifndef PATHPROF_PLUGIN_CFG_CLEAN_H
#define PATHPROF_PLUGIN_CFG_CLEAN_H

namespace pathprof {

// Brings SSA form and call graph edges of all functions up to date, and merges blocks that were split.
void clean_bodies();

} // namespace pathprof

#endif
