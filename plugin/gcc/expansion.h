// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts which calls of built-in functions remain calls in the object file.
#ifndef PATHPROF_PLUGIN_GCC_EXPANSION_H
#define PATHPROF_PLUGIN_GCC_EXPANSION_H

#include "plugin/gcc/gcc.h"

namespace pathprof {

// Returns true if GCC is expected to expand a call of its built-in function `decl` inline. Inline expansion is certain
// if the processor has a suitable instruction, or if GCC never calls a library for the function. For functions that
// handle memory or strings, the expansion depends on sizes, options and the results of later passes. Calls with a known
// small size are expected to be expanded, and all other calls to remain.
bool becomes_code(gcall *call, tree decl);

} // namespace pathprof

#endif
