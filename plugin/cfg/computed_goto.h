// SPDX-License-Identifier: GPL-3.0-or-later
// Interpreters jump from the end of each operation.  GCC brings these jumps together in one block while it optimises,
// and copies that block back behind each operation at last.  A processor predicts many jumps better than one.
#ifndef PATHPROF_PLUGIN_CFG_COMPUTED_GOTO_H
#define PATHPROF_PLUGIN_CFG_COMPUTED_GOTO_H

#include <vector>

namespace pathprof {

// By index: this function's blocks that GCC will copy because they hold little but a computed goto, and the empty ones
// that lead there.  They are copied as long as nothing is added to them.
std::vector<char> blocks_at_computed_gotos();

// Notes of this function, which is instrumented, whether it has computed gotos.  GCC merges equal ends of blocks
// before it copies the jumps; where each operation counts its paths, in the same way, little would be left to copy.
void note_computed_gotos();

// Switches that merging (-fcrossjumping) off while GCC comes to noted functions.
void register_computed_goto_passes(const char *plugin_name);

} // namespace pathprof

#endif
