// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the dumps of -fdump-ipa-pathprof and -fdump-tree-pathprof.
#ifndef PATHPROF_PLUGIN_CFG_DUMP_H
#define PATHPROF_PLUGIN_CFG_DUMP_H

#include <cstdio>

#include "plugin/cfg/function.h"

namespace pathprof {

// Prints the graph, the numbering and the placement of one function, with one line per edge.
void dump_plan(FILE *file, const PlannedFunction &function);

} // namespace pathprof

#endif
