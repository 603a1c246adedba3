// SPDX-License-Identifier: GPL-3.0-or-later
// What decides where control goes from blocks with several successors: conditions with their columns, switches with
// their labels.
#ifndef PATHPROF_PLUGIN_CFG_BRANCHES_H
#define PATHPROF_PLUGIN_CFG_BRANCHES_H

#include <vector>

#include "plugin/gcc/file_table.h"
#include "profile/model/notes.h"

class edge_def;

namespace pathprof {

// Fills notes.branches from `cfun`; graph and lines have been read, and `edges` are GCC's for each of the graph's.
void read_branches(FunctionNotes &notes, const std::vector<edge_def *> &edges, FileTable &files);

} // namespace pathprof

#endif
