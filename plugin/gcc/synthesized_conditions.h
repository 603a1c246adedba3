// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that the C++ front end makes, and nobody wrote.  They are no decisions, and have no text:
//
//   - whether a variable of a function, or of a thread, is there yet;
//   - whether a pointer to a member function is one to a virtual function;
//   - whether what is deleted, cast or was allocated is null;
//   - whether an array has another element to construct or to destroy;
//   - how far a coroutine has come, and whether it has to wait.
#ifndef PATHPROF_PLUGIN_GCC_SYNTHESIZED_CONDITIONS_H
#define PATHPROF_PLUGIN_GCC_SYNTHESIZED_CONDITIONS_H

#include <unordered_set>

#include "plugin/gcc/gcc.h"

namespace pathprof {

class SynthesizedConditions {
public:
  // Trees of a function that is done may be others now.
  void leave_function() { values_.clear(); }

  // Each expression as it comes to the gimplifier: COND_EXPRs with a value before they are made statements.
  void see(tree expression);

  // Whether the condition of a COND_EXPR without value is such a test.
  bool has(tree cond_expr) const;

private:
  std::unordered_set<tree> values_; // COND_EXPRs that had a value, and are no ?: in the source
};

} // namespace pathprof

#endif
