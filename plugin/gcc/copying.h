// SPDX-License-Identifier: GPL-3.0-or-later
// Copies basic blocks and estimates the size of the copies.
#ifndef PATHPROF_PLUGIN_GCC_COPYING_H
#define PATHPROF_PLUGIN_GCC_COPYING_H

#include <vector>

struct basic_block_def;
class edge_def;
struct gasm;

namespace pathprof {

// Returns the size of the block in GCC's size units. One unit is approximately one instruction.
int size_of(basic_block_def *bb);

// Returns true if GCC can copy the block and the block contains no asm statement.
bool can_be_copied(basic_block_def *bb);

// Returns true if the assembler code may define a symbol that must not be defined twice. Labels that are local ("1:")
// or made unique ("%=") are allowed.
bool may_define_symbol(gasm *statement);

// Copies the blocks, redirects the edges `entries` to the copies, and returns the copies in the order of the blocks.
// GCC must be able to copy the blocks, and the edges must not be abnormal or exception edges. Requires SSA form, which
// is up to date afterwards.
std::vector<basic_block_def *> copy_behind(const std::vector<edge_def *> &entries,
                                           const std::vector<basic_block_def *> &blocks);

// Returns the copy of the edge `original` that leaves the most recent copy of the edge's source block.
edge_def *copied_edge(edge_def *original);

} // namespace pathprof

#endif
