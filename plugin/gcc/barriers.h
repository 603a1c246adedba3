// SPDX-License-Identifier: GPL-3.0-or-later
// Statements that are no instructions, which GCC does not see through.  Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_GCC_BARRIERS_H
#define PATHPROF_PLUGIN_GCC_BARRIERS_H

#include <vector>

namespace pathprof {

// Behind it `copy` holds the value, and GCC does not know that it does.  Both are whole numbers or pointers that fit in
// a register.
//
//   asm ("" : "=r" (copy) : "0" (value));
gasm *opaque_copy(tree copy, tree value);

// What the operands hold is not known any more behind it, and what was stored in them is in memory before it: others
// read and change them at any time.  Unlike volatile accesses those around it can be parts of other instructions.
//
//   asm volatile ("" : "+m" (operand)...);
gimple *barrier_for(const std::vector<tree> &operands);

// The same for all of memory.
gimple *memory_barrier();

} // namespace pathprof

#endif
