// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the computed gotos of interpreters separate. An interpreter jumps to the next operation from the end of each
// operation. GCC merges these jumps into one block during optimisation and finally copies this block to the end of each
// operation, because processors predict many separate jumps better than a single one.
#ifndef PATHPROF_PLUGIN_CFG_COMPUTED_GOTO_H
#define PATHPROF_PLUGIN_CFG_COMPUTED_GOTO_H

#include <vector>

namespace pathprof {

// Determines the blocks of `cfun` that GCC will copy: small blocks that end in a computed goto, and empty blocks that
// lead to them. GCC copies these blocks only if no code is added to them. The result is indexed by block and contains 1
// for each block that GCC will copy.
std::vector<char> blocks_at_computed_gotos();

// Marks the instrumented function `cfun` if it contains computed gotos. GCC merges identical code at the ends of blocks
// before it copies computed gotos. If counting code were merged as well, the merged block would be too large to copy.
void note_computed_gotos();

// Registers passes that turn off cross-jumping (the merging of identical block ends) in marked functions.
void register_computed_goto_passes(const char *plugin_name);

} // namespace pathprof

#endif
