// SPDX-License-Identifier: GPL-3.0-or-later
// Computes a checksum of the statements of a function.
#ifndef PATHPROF_PLUGIN_CFG_BODY_CHECKSUM_H
#define PATHPROF_PLUGIN_CFG_BODY_CHECKSUM_H

#include <cstdint>

namespace pathprof {

// Returns a checksum of the current function's statements, which is never 0. Two builds of a function can have the same
// control-flow graph and the same lines although a macro or a constant differs; their checksums then differ. Equal
// sources have equal checksums in all units, directories and compilations with the same compiler: the checksum includes
// operators, constants, and the names of global declarations and fields, but not the contents of strings, which
// can contain names of directories.
uint32_t body_checksum();

} // namespace pathprof

#endif
