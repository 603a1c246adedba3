// SPDX-License-Identifier: GPL-3.0-or-later
// Recognizes tests that the C++ front end generates. Generated tests are not decisions of the program and have no
// source text. The front end generates tests for:
//
// - the initialization of a static or thread-local variable;
// - virtual functions in pointers to member functions;
// - null pointers in deletions, casts and allocations;
// - the end of an array whose elements are constructed or destroyed;
// - the state of a coroutine and the need to suspend it.
#ifndef PATHPROF_PLUGIN_GCC_SYNTHESIZED_CONDITIONS_H
#define PATHPROF_PLUGIN_GCC_SYNTHESIZED_CONDITIONS_H

#include <unordered_set>

#include "plugin/gcc/gcc.h"

namespace pathprof {

class SynthesizedConditions {
public:
  // Discards all references to trees of a finished function, because GCC can reuse the memory of these trees.
  void leave_function() { values_.clear(); }

  // Records an expression that the gimplifier is about to process. COND_EXPRs with a value must be recorded before they
  // become statements.
  void see(tree expression);

  // Returns true if the front end generated the condition of this void COND_EXPR.
  bool has(tree cond_expr) const;

private:
  std::unordered_set<tree> values_; // COND_EXPRs that had a value and are not a ?: in the source
};

} // namespace pathprof

#endif
