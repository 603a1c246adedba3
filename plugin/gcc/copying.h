// SPDX-License-Identifier: GPL-3.0-or-later
// Whether blocks can be copied, and what that costs.
#ifndef PATHPROF_PLUGIN_GCC_COPYING_H
#define PATHPROF_PLUGIN_GCC_COPYING_H

#include <vector>

struct basic_block_def;
class edge_def;
struct gasm;

namespace pathprof {

// What copying a block costs, in GCC's units of size: about one an instruction.
int size_of(basic_block_def *bb);

// Whether GCC can copy the block and no code in it minds.
bool can_be_copied(basic_block_def *bb);

// Whether assembler code may define a symbol that cannot be there twice: a label that is neither local ("1:") nor made
// unique ("%=").
bool may_define_symbol(gasm *statement);

// Copies blocks, and lets these edges lead to the copies instead; the copies, in the order of the blocks.  Only in SSA
// form, which is up to date afterwards; GCC must allow each copy, and the edges must be ordinary ones.
std::vector<basic_block_def *> copy_behind(const std::vector<edge_def *> &entries,
                                           const std::vector<basic_block_def *> &blocks);

// The same edge of the last copy of its block.
edge_def *copied_edge(edge_def *original);

} // namespace pathprof

#endif
