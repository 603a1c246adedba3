// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts which calls of built-in functions remain calls in the object file.
#ifndef PATHPROF_PLUGIN_GCC_EXPANSION_H
#define PATHPROF_PLUGIN_GCC_EXPANSION_H

#include "plugin/gcc/gcc.h"

namespace pathprof {

// Returns true if GCC is expected to expand a call to its built-in function `decl` inline. GCC always does this if the
// processor has a suitable instruction, or if no library function exists. The expansion of memory and string functions
// depends on sizes, options and the results of later passes. Such a call is expected to be expanded only if its size is
// known and small.
bool becomes_code(gcall *call, tree decl);

} // namespace pathprof

#endif
