// SPDX-License-Identifier: GPL-3.0-or-later
// Statements that are no instructions, which GCC moves no accesses of memory across.  Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_GCC_BARRIERS_H
#define PATHPROF_PLUGIN_GCC_BARRIERS_H

#include <vector>

namespace pathprof {

// What the operands hold is not known any more behind it, and what was stored in them is in memory before it: others
// read and change them at any time.  Unlike volatile accesses those around it can be parts of other instructions.
//
//   asm volatile ("" : "+m" (operand)...);
gimple *barrier_for(const std::vector<tree> &operands);

// The same for all of memory.
gimple *memory_barrier();

} // namespace pathprof

#endif
