// SPDX-License-Identifier: GPL-3.0-or-later
// Builds statements that emit no instruction but limit GCC's optimisations. Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_GCC_BARRIERS_H
#define PATHPROF_PLUGIN_GCC_BARRIERS_H

#include <vector>

namespace pathprof {

// Returns a statement that copies `value` to `copy` but hides from GCC that the two are equal. The value must be an
// integer or pointer that fits in a register.
//
//   asm ("" : "=r" (copy) : "0" (value));
gasm *opaque_copy(tree copy, tree value);

// Returns a barrier for the operands, which other code can read and change at any time. GCC stores the operands to
// memory before the barrier and reloads them after it. Unlike volatile accesses, these loads and stores can be merged
// into other instructions.
//
//   asm volatile ("" : "+m" (operand)...);
gimple *barrier_for(const std::vector<tree> &operands);

// Returns a barrier for all of memory.
gimple *memory_barrier();

} // namespace pathprof

#endif
