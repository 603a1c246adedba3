// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the dumps of -fdump-ipa-pathprof and -fdump-tree-pathprof.
#ifndef PATHPROF_PLUGIN_CFG_DUMP_H
#define PATHPROF_PLUGIN_CFG_DUMP_H

#include <cstdio>

#include "plugin/cfg/function.h"

namespace pathprof {

// Prints the graph of a function, one edge per line, with the edge values of the path numbering and the planned code.
// If the model is interprocedural, prints the calls of the function instead.
void dump_plan(FILE *file, const PlannedFunction &function);

} // namespace pathprof

#endif
