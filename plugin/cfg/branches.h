// SPDX-License-Identifier: GPL-3.0-or-later
// Describes the conditions and switch statements that select the successor of a block, with columns and case labels.
#ifndef PATHPROF_PLUGIN_CFG_BRANCHES_H
#define PATHPROF_PLUGIN_CFG_BRANCHES_H

#include <vector>

#include "plugin/gcc/file_table.h"
#include "profile/model/notes.h"

class edge_def;

namespace pathprof {

// Fills `notes.branches` from `cfun`. The graph of the function and the lines of its blocks must already have been
// read. `edges` maps edges of the graph to GCC's edges.
void read_branches(FunctionNotes &notes, const std::vector<edge_def *> &edges, FileTable &files);

} // namespace pathprof

#endif
