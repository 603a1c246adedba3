// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the bodies of changed functions consistent for the passes that follow.
#ifndef PATHPROF_PLUGIN_CFG_CLEAN_H
#define PATHPROF_PLUGIN_CFG_CLEAN_H

namespace pathprof {

// Updates the SSA form and the call graph edges of all functions, and merges blocks that the plugin has split.
void clean_bodies();

} // namespace pathprof

#endif
