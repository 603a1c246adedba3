// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls of built-in functions are calls in the object, too.
#ifndef PATHPROF_PLUGIN_GCC_EXPANSION_H
#define PATHPROF_PLUGIN_GCC_EXPANSION_H

#include "plugin/gcc/gcc.h"

namespace pathprof {

// Whether GCC is expected to make code of a call of its built-in function `decl`, instead of calling a function of that
// name.  Code is certain for what the processor has, and for what GCC never calls a library for.  For functions of
// memory and strings it depends on sizes, on options and on what later passes find out: those whose size is known to be
// small are expected to become code, all others to be called.
bool becomes_code(gcall *call, tree decl);

} // namespace pathprof

#endif
