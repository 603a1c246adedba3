// SPDX-License-Identifier: GPL-3.0-or-later
// Whether blocks can be copied, and what that costs.
#ifndef PATHPROF_PLUGIN_GCC_COPYING_H
#define PATHPROF_PLUGIN_GCC_COPYING_H

struct basic_block_def;
class edge_def;

namespace pathprof {

// What copying a block costs, in GCC's units of size: about one an instruction.
int size_of(basic_block_def *bb);

// Whether GCC can copy the block and no code in it minds.
bool can_be_copied(basic_block_def *bb);

// The same edge of the last copy of its block.
edge_def *copied_edge(edge_def *original);

} // namespace pathprof

#endif
