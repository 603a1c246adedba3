// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the computed gotos of interpreters separate. An interpreter jumps to the next operation from the end of each
// operation. GCC merges these jumps into one block during optimisation and finally copies this block to the end of each
// operation, because processors predict many separate jumps better than a single one.
#ifndef PATHPROF_PLUGIN_CFG_COMPUTED_GOTO_H
#define PATHPROF_PLUGIN_CFG_COMPUTED_GOTO_H

#include <vector>

namespace pathprof {

// Returns, for each block index of `cfun`, 1 if GCC will copy the block because it contains little but a computed goto,
// or if it is an empty block that leads to such a block. GCC copies these blocks only if no code is added to them.
std::vector<char> blocks_at_computed_gotos();

// Marks `cfun`, which must be instrumented, if it has computed gotos. GCC merges identical ends of blocks before it
// copies the jumps. If each operation counted its paths with identical code, the merged block would be too large to
// copy.
void note_computed_gotos();

// Registers passes that turn off this merging (-fcrossjumping) in marked functions.
void register_computed_goto_passes(const char *plugin_name);

} // namespace pathprof

#endif
