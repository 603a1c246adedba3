// SPDX-License-Identifier: GPL-3.0-or-later
// What -fdump-ipa-pathprof and -fdump-tree-pathprof print.
#ifndef PATHPROF_PLUGIN_CFG_DUMP_H
#define PATHPROF_PLUGIN_CFG_DUMP_H

#include <cstdio>

#include "plugin/cfg/function.h"

namespace pathprof {

// Graph, numbering and placement of one function, one line an edge.
void dump_plan(FILE *file, const PlannedFunction &function);

} // namespace pathprof

#endif
