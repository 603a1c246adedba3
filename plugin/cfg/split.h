// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the loops of a function reducible.
#ifndef PATHPROF_PLUGIN_CFG_SPLIT_H
#define PATHPROF_PLUGIN_CFG_SPLIT_H

namespace pathprof {

// Copies blocks of `cfun`, which must be in SSA form, until every loop has a single entry block
// (core/graph/irreducible.h). Only such loops have intracontext paths. Loops remain irreducible if too many statements
// would be copied, if the function has abnormal edges, or if GCC cannot copy a block.
void make_loops_reducible();

} // namespace pathprof

#endif
